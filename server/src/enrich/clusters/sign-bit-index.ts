/**
 * Rows by bit vectors, one sign bit per dimension (locality-sensitive hashing). Counting different bits is many times
 * faster than computing cosines and finds nearly the same neighbours.
 */
export class SignBitIndex {
  /** The number of 32-bit words per row. */
  #words = 0
  #bits = new Int32Array(0)
  #isUsed = new Uint8Array(0)

  set(row: number, bits: Int32Array): void {
    if (this.#words === 0) this.#words = bits.length
    this.#makeRoom(row)
    this.#bits.set(bits.subarray(0, this.#words), row * this.#words)
    this.#isUsed[row] = 1
  }

  remove(row: number): void {
    if (row < this.#isUsed.length) this.#isUsed[row] = 0
  }

  nearest(query: Int32Array, count: number, rowCount: number): number[] {
    const words = this.#words
    const rows = Math.min(rowCount, this.#isUsed.length)
    const first = Math.min(FIRST_WORDS, words)
    const maxInFirst = Math.floor(first * 32 * MAX_DIFFERENT)
    const maxInAll = Math.floor(words * 32 * MAX_DIFFERENT)
    const near: { row: number; distance: number }[] = []
    for (let row = 0; row < rows; row++) {
      if (this.#isUsed[row] === 0) continue
      const start = row * words
      let distance = this.#hammingDistance(query, start, 0, first)
      if (distance > maxInFirst) continue
      distance += this.#hammingDistance(query, start, first, words)
      if (distance <= maxInAll) near.push({ row, distance })
    }
    near.sort((a, b) => a.distance - b.distance || a.row - b.row)
    return near.slice(0, count).map(({ row }) => row)
  }

  #hammingDistance(query: Int32Array, start: number, from: number, to: number): number {
    const bits = this.#bits
    let distance = 0
    for (let word = from; word < to; word++) {
      // Population count: adds up the bits in pairs, in nibbles, in bytes.
      let rest = (bits[start + word] ?? 0) ^ (query[word] ?? 0)
      rest -= (rest >>> 1) & 0x55555555
      rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
      distance += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    return distance
  }

  #makeRoom(row: number): void {
    if (row < this.#isUsed.length) return
    const rows = Math.max(1024, 2 * row)
    const bits = new Int32Array(rows * this.#words)
    bits.set(this.#bits)
    this.#bits = bits
    const isUsed = new Uint8Array(rows)
    isUsed.set(this.#isUsed)
    this.#isUsed = isUsed
  }
}

/** The first words are enough to reject most rows. */
const FIRST_WORDS = 4

/** Unrelated vectors differ in half of their bits, vectors with a cosine of 0.3 in 40 %. */
const MAX_DIFFERENT = 0.42
