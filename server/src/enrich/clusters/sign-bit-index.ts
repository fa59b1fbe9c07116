/**
 * Rows by vectors of bits, one for each dimension. Rows are compared by the number of different bits, which is many
 * times faster than by cosines and finds nearly the same neighbours.
 */
export class SignBitIndex {
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
    const mostInFirst = Math.floor(first * 32 * MOST_DIFFERENT)
    const mostInAll = Math.floor(words * 32 * MOST_DIFFERENT)
    const near: { row: number; distance: number }[] = []
    for (let row = 0; row < rows; row++) {
      if (this.#isUsed[row] === 0) continue
      const start = row * words
      let distance = this.#different(query, start, 0, first)
      if (distance > mostInFirst) continue
      distance += this.#different(query, start, first, words)
      if (distance <= mostInAll) near.push({ row, distance })
    }
    near.sort((a, b) => a.distance - b.distance || a.row - b.row)
    return near.slice(0, count).map(({ row }) => row)
  }

  #different(query: Int32Array, start: number, from: number, to: number): number {
    const bits = this.#bits
    let different = 0
    for (let word = from; word < to; word++) {
      // Counts the bits of a word in parallel: in pairs, in fours, in bytes.
      let rest = (bits[start + word] ?? 0) ^ (query[word] ?? 0)
      rest -= (rest >>> 1) & 0x55555555
      rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
      different += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    return different
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

/** Most rows are far off, which the first words show. */
const FIRST_WORDS = 4

/** Unrelated vectors differ in half of their bits; those with a cosine of 0.3 in four of ten. */
const MOST_DIFFERENT = 0.42
