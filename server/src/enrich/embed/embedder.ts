/** Turns texts into vectors: the closer the meanings, the higher the cosine. */
export interface Embedder {
  /** The name of the model, stored with each vector: vectors of different models cannot be compared. */
  readonly model: string
  /** The languages the model supports; undefined if unrestricted. */
  readonly languages: readonly string[] | undefined
  /** Returns unit vectors in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** Returns the vector scaled to length 1; zeros if it has no direction. */
export function unitVector(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values)
  const length = Math.sqrt(dot(vector, vector))
  // A zero vector is similar to no other, as a text without meaning should be.
  if (!Number.isFinite(length) || length === 0) return vector.fill(0)
  return vector.map((value) => value / length)
}

/**
 * Returns the dot product, which is the cosine of two unit vectors. Four sums at once, which the CPU adds in parallel.
 */
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
