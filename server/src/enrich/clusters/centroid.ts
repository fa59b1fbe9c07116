import { dot } from '../embed/embedder.ts'
/**
 * The mean of the vectors of all stories. News of one field resembles itself: two results of different companies have a
 * high cosine although they share nothing but the field. Compared from this centre, what is common to all falls away.
 */
export class Centroid {
  #sum = new Float32Array(0)
  #count = 0
  #lengthSquared = 0

  /** Once for each story, so that a story of many entries does not become the centre itself. */
  include(vector: Float32Array): void {
    if (this.#sum.length === 0) this.#sum = new Float32Array(vector.length)
    addTo(this.#sum, vector)
    this.#count++
    this.#lengthSquared = dot(this.#sum, this.#sum) / this.#weight ** 2
  }

  /** What a vector and the centre have in common. */
  commonOf(vector: Float32Array): number {
    return dot(vector, this.#sum) / this.#weight
  }

  /**
   * Cosine of a unit vector to the mean of others, as seen from the centre. The length of the mean is taken halfway, as
   * a geometric mean, between its own and that of the others.
   */
  cosine(vector: Float32Array, common: number, { sum, count, sumSquared }: VectorSum): number {
    const sumCommon = this.commonOf(sum) / count
    const offset = this.#lengthSquared - 2 * sumCommon
    const lengthOfOthers = Math.max(0, 1 + offset)
    const lengthOfMean = Math.max(0, sumSquared / count ** 2 + offset)
    const lengths = (1 - 2 * common + this.#lengthSquared) * Math.sqrt(lengthOfOthers * lengthOfMean)
    if (lengths < LEAST_LENGTHS) return 0
    return (dot(vector, sum) / count - common + offset + sumCommon) / Math.sqrt(lengths)
  }

  /** One bit for each dimension: on which side of the centre the mean lies. */
  sidesOf(sum: Float32Array, count: number): Int32Array {
    const bits = new Int32Array(Math.ceil(Math.min(sum.length, MOST_BITS) / 32))
    const scale = this.#weight / count
    const end = Math.min(sum.length, MOST_BITS)
    for (let index = 0; index < end; index++) {
      if ((sum[index] ?? 0) * scale > (this.#sum[index] ?? 0))
        bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31))
    }
    return bits
  }

  /** The centre of a few stories is little more than those stories, so it starts at zero and moves out slowly. */
  get #weight(): number {
    return this.#count + HESITATION
  }
}

const HESITATION = 50
const MOST_BITS = 512

/** What lies in the centre itself points nowhere. */
const LEAST_LENGTHS = 0.01

/** Unit vectors, added up. */
export interface VectorSum {
  sum: Float32Array
  count: number
  /** Square of the length of the sum. */
  sumSquared: number
}

export function withVector(before: VectorSum | null, vector: Float32Array): VectorSum {
  const sum = before?.sum ?? new Float32Array(vector.length)
  addTo(sum, vector)
  return { sum, count: (before?.count ?? 0) + 1, sumSquared: dot(sum, sum) }
}

/** Of length 1; null when it has no direction. */
export function unitOrNull(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(dot(vector, vector))
  if (!(length > 0 && length < Infinity)) return null
  return Math.abs(length - 1) < 1e-3 ? vector : vector.map((value) => value / length)
}

function addTo(sum: Float32Array, vector: Float32Array): void {
  for (let index = 0; index < vector.length; index++) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0)
}
