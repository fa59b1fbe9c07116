/**
 * The mean of the vectors of all stories. News of one field resembles itself: two results of different companies have a
 * high cosine although they share nothing but the field. Compared from this centre, what is common to all falls away.
 */
export class Centre {
  #sum = new Float32Array(0)
  #count = 0

  /** Once for each story, so that a story of many entries does not become the centre itself. */
  include(vector: Float32Array): void {
    if (this.#sum.length === 0) this.#sum = new Float32Array(vector.length)
    for (let index = 0; index < vector.length; index++)
      this.#sum[index] = (this.#sum[index] ?? 0) + (vector[index] ?? 0)
    this.#count++
  }

  /** What is common to a vector and the centre. */
  commonOf(vector: Float32Array): number {
    return dot(vector, this.#sum) / this.#weight
  }

  /**
   * Cosine of a unit vector to the mean of others, given as their sum, as seen from the centre. The length of the mean
   * is taken halfway, as a geometric mean, between its own and that of the others.
   */
  cosine(vector: Float32Array, common: number, sum: Float32Array, count: number): number {
    const sumCommon = this.commonOf(sum) / count
    const own = dot(this.#sum, this.#sum) / this.#weight ** 2
    const othersSquared = 1 - 2 * sumCommon + own
    const meanSquared = dot(sum, sum) / count ** 2 - 2 * sumCommon + own
    const lengths = (1 - 2 * common + own) * Math.sqrt(othersSquared * meanSquared)
    return lengths > LEAST_LENGTHS ? (dot(vector, sum) / count - common - sumCommon + own) / Math.sqrt(lengths) : 0
  }

  /** The centre of a few stories is little more than those stories, so it starts at zero and moves out slowly. */
  get #weight(): number {
    return this.#count + HESITATION
  }
}

const HESITATION = 50

/** What lies in the centre itself points nowhere. */
const LEAST_LENGTHS = 0.01

function dot(a: Float32Array, b: Float32Array): number {
  const length = Math.min(a.length, b.length)
  let sum = 0
  for (let index = 0; index < length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

/** Of length 1; null when it has no direction. */
export function unitVector(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(dot(vector, vector))
  if (!(length > 0 && length < Infinity)) return null
  return Math.abs(length - 1) < 1e-3 ? vector : vector.map((value) => value / length)
}
