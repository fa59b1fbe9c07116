/** Turns texts into vectors whose angle says how close their meanings are. */
export interface Embedder {
  /** Names the model; kept with each vector, since those of different models cannot be compared. */
  readonly model: string
  /** The languages it understands; undefined when it is not known to miss any. */
  readonly languages: readonly string[] | undefined
  /** Unit vectors, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
  close(): Promise<void>
}

export function unitVector(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values)
  const length = Math.sqrt(dot(vector, vector))
  // Without a direction it is close to nothing, which is what a text without meaning should be.
  if (!Number.isFinite(length) || length === 0) return vector.fill(0)
  return vector.map((value) => value / length)
}

/** The cosine of two unit vectors. */
export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}
