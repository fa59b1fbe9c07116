import { dot } from '../embed/embedder.ts'

/**
 * The mean of the vectors of all clusters. Vectors of news resemble each other: the results of two companies have a
 * high cosine because both are results. Cosines measured from the centroid leave this common part out.
 */
export class Centroid {
  #sum = new Float32Array(0)
  #count = 0
  #lengthSquared = 0

  /** Adds the first vector of a cluster; further ones would pull the centroid towards large clusters. */
  add(vector: Float32Array): void {
    if (this.#sum.length === 0) this.#sum = new Float32Array(vector.length)
    addTo(this.#sum, vector)
    this.#count++
    this.#lengthSquared = dot(this.#sum, this.#sum) / this.#weight ** 2
  }

  /** Returns the dot product of a vector and the centroid. */
  dot(vector: Float32Array): number {
    return dot(vector, this.#sum) / this.#weight
  }

  /**
   * Returns the cosine of a unit vector and the mean of a cluster, both relative to the centroid. `common` is the dot
   * product of the vector and the centroid. The length used for the mean is the geometric mean of its own length and
   * the length of the cluster's vectors.
   */
  cosine(vector: Float32Array, common: number, { sum, count, sumSquared }: VectorSum): number {
    const sumCommon = this.dot(sum) / count
    const offset = this.#lengthSquared - 2 * sumCommon
    const lengthOfOthers = Math.max(0, 1 + offset)
    const lengthOfMean = Math.max(0, sumSquared / count ** 2 + offset)
    const lengths = (1 - 2 * common + this.#lengthSquared) * Math.sqrt(lengthOfOthers * lengthOfMean)
    if (lengths < MIN_LENGTHS) return 0
    return (dot(vector, sum) / count - common + offset + sumCommon) / Math.sqrt(lengths)
  }

  /** Returns one bit per dimension: whether the mean of the vectors lies above the centroid. */
  signBits(sum: Float32Array, count: number): Int32Array {
    const bits = new Int32Array(Math.ceil(Math.min(sum.length, MAX_BITS) / 32))
    const scale = this.#weight / count
    const end = Math.min(sum.length, MAX_BITS)
    for (let index = 0; index < end; index++) {
      if ((sum[index] ?? 0) * scale > (this.#sum[index] ?? 0))
        bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31))
    }
    return bits
  }

  get #weight(): number {
    return this.#count + PRIOR_COUNT
  }
}

/** Zero vectors assumed at the start: the mean of the first few clusters would be little more than those clusters. */
const PRIOR_COUNT = 50
const MAX_BITS = 512

/** Below this product of lengths, a vector lies so close to the centroid that its direction is noise. */
const MIN_LENGTHS = 0.01

/** A sum of unit vectors. */
export interface VectorSum {
  sum: Float32Array
  count: number
  /** The squared length of the sum. */
  sumSquared: number
}

export function withVector(before: VectorSum | null, vector: Float32Array): VectorSum {
  const sum = before?.sum ?? new Float32Array(vector.length)
  addTo(sum, vector)
  return { sum, count: (before?.count ?? 0) + 1, sumSquared: dot(sum, sum) }
}

export function withSum(before: VectorSum | null, other: VectorSum): VectorSum {
  if (before === null) return other
  addTo(before.sum, other.sum)
  return { sum: before.sum, count: before.count + other.count, sumSquared: dot(before.sum, before.sum) }
}

/** Returns the vector scaled to length 1; null if it has no direction. */
export function unitOrNull(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(dot(vector, vector))
  if (!(length > 0 && length < Infinity)) return null
  return Math.abs(length - 1) < 1e-3 ? vector : vector.map((value) => value / length)
}

function addTo(sum: Float32Array, vector: Float32Array): void {
  for (let index = 0; index < vector.length; index++) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0)
}
