import type { CandleInterval } from '../../model/markets.ts'
import { closesAt, opensAt } from './candle-intervals.ts'

/** A candle takes eight numbers of eight bytes, and a byte that says whether it was rolled up. */
const NUMBERS = 8
const CANDLE_BYTES = NUMBERS * 8 + 1

/**
 * Candles in the order of time, column by column. `bytes` is the stored form: the columns one after another, numbers in
 * little-endian order. Numbers thus never become text in SQL, which the two engines write differently.
 */
export class CandleColumns {
  readonly bytes: Uint8Array
  readonly length: number
  readonly openedAt: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  /** Volumes are in units of the market. */
  readonly volume: Integers
  readonly quoteVolume: Integers
  readonly tradeCount: Integers
  readonly isRolled: Uint8Array

  constructor(length: number) {
    const buffer = new ArrayBuffer(length * CANDLE_BYTES)
    const column = (place: number) => new Float64Array(buffer, place * length * 8, length)
    this.bytes = new Uint8Array(buffer)
    this.length = length
    this.openedAt = column(0)
    this.open = column(1)
    this.high = column(2)
    this.low = column(3)
    this.close = column(4)
    this.volume = new Integers(buffer, 5 * length * 8, length)
    this.quoteVolume = new Integers(buffer, 6 * length * 8, length)
    this.tradeCount = new Integers(buffer, 7 * length * 8, length)
    this.isRolled = new Uint8Array(buffer, NUMBERS * 8 * length, length)
  }

  /** Joins stored candles, given in the order of time. */
  static join(stored: readonly Uint8Array[]): CandleColumns {
    return joinRuns(stored.map((bytes) => ({ bytes, from: 0, to: countStored(bytes) })))
  }

  slice(from: number, to: number): CandleColumns {
    return from <= 0 && to >= this.length ? this : joinRuns([{ bytes: this.bytes, from, to: Math.max(from, to) }])
  }

  /** Returns the candles that open between two times, both inclusive. */
  between(from: number, to: number): CandleColumns {
    return this.slice(this.#countBefore(from), this.#countBefore(to + 1))
  }

  /** Returns whether the candle at `place` would replace another one and differs from it. */
  differsAt(place: number, other: CandleColumns, otherPlace: number): boolean {
    if (other.isRolled[otherPlace] === 1) return false
    const isEqual = (name: 'open' | 'high' | 'low' | 'close') => this[name][place] === other[name][otherPlace]
    const isSame = (name: 'volume' | 'quoteVolume' | 'tradeCount') =>
      this[name].at(place) === other[name].at(otherPlace)
    return !(
      isEqual('open') &&
      isEqual('high') &&
      isEqual('low') &&
      isEqual('close') &&
      isSame('volume') &&
      isSame('quoteVolume') &&
      isSame('tradeCount')
    )
  }

  /** Adds candles. Of two at the same time the added one stays, unless only the other one was rolled up. */
  merge(added: CandleColumns): CandleColumns {
    const runs: Run[] = []
    let mine = 0
    let theirs = 0
    while (mine < this.length || theirs < added.length) {
      const mineAt = this.openedAt[mine] ?? Number.POSITIVE_INFINITY
      const theirsAt = added.openedAt[theirs] ?? Number.POSITIVE_INFINITY
      const isMine = mineAt < theirsAt || (mineAt === theirsAt && this.isRolled[mine] === 1 && !added.isRolled[theirs])
      const [source, place] = isMine ? [this, mine] : [added, theirs]
      const last = runs.at(-1)
      if (last?.bytes === source.bytes && last.to === place) last.to += 1
      else runs.push({ bytes: source.bytes, from: place, to: place + 1 })
      if (mineAt <= theirsAt) mine += 1
      if (theirsAt <= mineAt) theirs += 1
    }
    return joinRuns(runs)
  }

  /** Aggregates the candles by interval. */
  rollUp(interval: CandleInterval): CandleColumns {
    const starts: number[] = []
    const times: number[] = []
    let end = Number.NEGATIVE_INFINITY
    for (let place = 0; place < this.length; place += 1) {
      const time = this.openedAt[place] ?? 0
      if (time < end) continue
      const opened = opensAt(interval, time)
      end = closesAt(interval, opened)
      starts.push(place)
      times.push(opened)
    }
    const rolled = new CandleColumns(starts.length)
    rolled.openedAt.set(times)
    rolled.isRolled.fill(1)
    for (let place = 0; place < starts.length; place += 1) {
      this.#aggregate(starts[place] ?? 0, starts[place + 1] ?? this.length, rolled, place)
    }
    return rolled
  }

  #aggregate(from: number, to: number, target: CandleColumns, place: number): void {
    let high = Number.NEGATIVE_INFINITY
    let low = Number.POSITIVE_INFINITY
    for (let index = from; index < to; index += 1) {
      high = Math.max(high, this.high[index] ?? high)
      low = Math.min(low, this.low[index] ?? low)
    }
    target.open[place] = this.open[from] ?? 0
    target.high[place] = high
    target.low[place] = low
    target.close[place] = this.close[to - 1] ?? 0
    for (const column of ['volume', 'quoteVolume', 'tradeCount'] as const) {
      target[column].set(place, this[column].sum(from, to))
    }
  }

  /** Returns the number of candles that open before a time. */
  #countBefore(time: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.openedAt[middle] ?? 0) < time) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Returns the number of candles in their stored form. */
export const countStored = (bytes: { length: number }): number => bytes.length / CANDLE_BYTES

/** A part of stored candles. */
interface Run {
  bytes: Uint8Array
  from: number
  to: number
}

function joinRuns(runs: readonly Run[]): CandleColumns {
  const joined = new CandleColumns(runs.reduce((length, { from, to }) => length + to - from, 0))
  let place = 0
  for (const { bytes, from, to } of runs) {
    const count = countStored(bytes)
    for (let column = 0; column < NUMBERS; column += 1) {
      const part = bytes.subarray((column * count + from) * 8, (column * count + to) * 8)
      joined.bytes.set(part, (column * joined.length + place) * 8)
    }
    const flags = NUMBERS * 8 * count
    joined.isRolled.set(bytes.subarray(flags + from, flags + to), place)
    place += to - from
  }
  return joined
}

const WORD = 2 ** 32

/** A column of integers from 0 to 2^63-1; -1 is an unknown value. */
class Integers {
  /** The low and the high half of each. Reading a BigInt would cost ten times as much. */
  readonly #halves: Uint32Array
  readonly #whole: BigInt64Array

  constructor(buffer: ArrayBuffer, offset: number, length: number) {
    this.#halves = new Uint32Array(buffer, offset, length * 2)
    this.#whole = new BigInt64Array(buffer, offset, length)
  }

  /** Returns the value, rounded if it exceeds the safe integers. */
  at(place: number): number | null {
    const high = this.#halves[2 * place + 1] ?? 0
    return high >= WORD / 2 ? null : high * WORD + (this.#halves[2 * place] ?? 0)
  }

  set(place: number, value: number | bigint | null): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      this.#halves[2 * place] = value % WORD
      this.#halves[2 * place + 1] = Math.floor(value / WORD)
    } else {
      this.#whole[place] = BigInt(value ?? -1)
    }
  }

  /** Returns the exact sum, which is unknown if one of the values is. */
  sum(from: number, to: number): number | bigint | null {
    let sum = 0
    for (let place = from; place < to; place += 1) {
      const value = this.at(place)
      if (value === null) return null
      sum += value
    }
    if (Number.isSafeInteger(sum)) return sum
    return this.#whole.subarray(from, to).reduce((total, value) => total + value, 0n)
  }
}
