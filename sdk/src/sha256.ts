/** SHA-256 of bytes that arrive in parts: Web Crypto can only hash a whole. */
export class Sha256 {
  readonly #state = Uint32Array.from(START)
  readonly #block = new Uint8Array(64)
  readonly #view = new DataView(this.#block.buffer)
  readonly #words = new Uint32Array(64)
  #length = 0

  /** Adds bytes. */
  update(bytes: Uint8Array): void {
    let place = 0
    while (place < bytes.length) {
      const filled = this.#length % 64
      const part = bytes.subarray(place, place + 64 - filled)
      this.#block.set(part, filled)
      this.#length += part.length
      place += part.length
      if (filled + part.length === 64) this.#compress()
    }
  }

  /** Returns the hash in hexadecimal. Nothing may be added afterwards. */
  hex(): string {
    const bits = this.#length * 8
    this.update(Uint8Array.of(0x80))
    while (this.#length % 64 !== 56) this.update(Uint8Array.of(0))
    const end = new DataView(new ArrayBuffer(8))
    end.setUint32(0, Math.floor(bits / 2 ** 32))
    end.setUint32(4, bits % 2 ** 32)
    this.update(new Uint8Array(end.buffer))
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('')
  }

  #compress(): void {
    const [state, words] = [this.#state, this.#words]
    for (let place = 0; place < 16; place += 1) words[place] = this.#view.getUint32(place * 4)
    for (let place = 16; place < 64; place += 1) {
      const one = at(words, place - 15)
      const two = at(words, place - 2)
      const low = rotated(one, 7) ^ rotated(one, 18) ^ (one >>> 3)
      const high = rotated(two, 17) ^ rotated(two, 19) ^ (two >>> 10)
      words[place] = at(words, place - 16) + low + at(words, place - 7) + high
    }
    let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)]
    let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)]
    for (let place = 0; place < 64; place += 1) {
      const sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      const first = (h + sum + ((e & f) ^ (~e & g)) + at(ROUNDS, place) + at(words, place)) | 0
      const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    const changes = [a, b, c, d, e, f, g, h]
    for (let place = 0; place < 8; place += 1) state[place] = at(state, place) + (changes[place] ?? 0)
  }
}

const at = (words: Uint32Array, place: number): number => words[place] ?? 0
const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** The first 64 primes. */
const PRIMES = Array.from({ length: 310 }, (_, place) => place + 2)
  .filter(
    (number) => !Array.from({ length: number - 2 }, (_, place) => place + 2).some((divisor) => number % divisor === 0),
  )
  .slice(0, 64)

/** Returns the first 32 bits of the fraction of a number. */
const fraction = (value: number): number => Math.floor((value % 1) * 2 ** 32)

const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
