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

/** The cosine of two unit vectors. Four sums at once, which a processor adds up side by side. */
export function dot(a: Float32Array, b: Float32Array): number {
  const length = Math.min(a.length, b.length)
  const even = length & ~3
  let sum0 = 0
  let sum1 = 0
  let sum2 = 0
  let sum3 = 0
  for (let index = 0; index < even; index += 4) {
    sum0 += (a[index] ?? 0) * (b[index] ?? 0)
    sum1 += (a[index + 1] ?? 0) * (b[index + 1] ?? 0)
    sum2 += (a[index + 2] ?? 0) * (b[index + 2] ?? 0)
    sum3 += (a[index + 3] ?? 0) * (b[index + 3] ?? 0)
  }
  for (let index = even; index < length; index++) sum0 += (a[index] ?? 0) * (b[index] ?? 0)
  return sum0 + sum1 + sum2 + sum3
}
