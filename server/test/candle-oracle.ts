/** A reference implementation of candles: rolls up the finest rows known for each time, one by one. */
import type { Candle, CandleInterval, NewCandle, StoredInterval } from '../src/model/markets.ts'
import { DAY, HOUR, MINUTE } from '../src/model/time.ts'
import type { CandleRange } from '../src/store/markets/candle-read.ts'

interface Atom extends NewCandle {
  interval: StoredInterval
}

export const LENGTHS = { '1m': MINUTE, '1h': HOUR, '1d': DAY } as const
const STEPS = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '30m': 30 * MINUTE, '1h': HOUR, '4h': 4 * HOUR }

export class CandleOracle {
  readonly #known: Record<StoredInterval, Map<number, NewCandle>> = {
    '1m': new Map(),
    '1h': new Map(),
    '1d': new Map(),
  }
  readonly #units: { volume: number; quoteVolume: number }

  constructor(decimals: { volumeDecimals: number; quoteVolumeDecimals: number }) {
    this.#units = { volume: 10 ** decimals.volumeDecimals, quoteVolume: 10 ** decimals.quoteVolumeDecimals }
  }

  insert(interval: StoredInterval, candles: readonly NewCandle[]): void {
    for (const candle of candles) this.#known[interval].set(candle.openedAt, candle)
  }

  /** Returns the finest candle known for each time, in order. */
  atoms(): Atom[] {
    const { '1m': minutes, '1h': hours, '1d': days } = this.#known
    const hoursOfMinutes = new Set([...minutes.keys()].map((time) => startOf('1h', time)))
    const kept = [...hours].filter(([time]) => !hoursOfMinutes.has(time))
    const daysOfFiner = new Set([...minutes.keys(), ...hours.keys()].map((time) => startOf('1d', time)))
    return [
      ...[...minutes.values()].map((candle) => ({ ...candle, interval: '1m' as const })),
      ...kept.map(([, candle]) => ({ ...candle, interval: '1h' as const })),
      ...[...days]
        .filter(([time]) => !daysOfFiner.has(time))
        .map(([, candle]) => ({ ...candle, interval: '1d' as const })),
    ].sort((a, b) => a.openedAt - b.openedAt)
  }

  candles(interval: CandleInterval, now: number): Candle[] {
    // Hours cannot be split into minutes, nor days into hours.
    const atoms = this.atoms().filter((atom) => LENGTHS[atom.interval] <= lengthOf(interval))
    const buckets = Map.groupBy(atoms, ({ openedAt }) => startOf(interval, openedAt))
    return [...buckets].map(([openedAt, parts]) => this.#rollUp(interval, openedAt, parts, now))
  }

  list({ interval, openedAfter = -Infinity, openedBefore = Infinity, sort, maxPoints }: CandleRange, now: number) {
    const all = this.candles(interval, now).filter(({ openedAt }) => {
      const time = Date.parse(openedAt)
      return time >= openedAfter && time <= openedBefore
    })
    const isFirst = sort === 'openedAt:asc' && openedAfter !== -Infinity
    const cut = isFirst ? all.slice(0, maxPoints) : all.slice(-maxPoints)
    return sort === 'openedAt:asc' ? cut : cut.reverse()
  }

  #rollUp(interval: CandleInterval, openedAt: number, parts: Atom[], now: number): Candle {
    const sum = (values: (number | null)[], unit: number) =>
      values.reduce((total, value) => (total === null || value === null ? null : total + Math.round(value * unit)), 0)
    const volume =
      (sum(
        parts.map((part) => part.volume),
        this.#units.volume,
      ) ?? 0) / this.#units.volume
    const quoteUnits = sum(
      parts.map((part) => part.quoteVolume),
      this.#units.quoteVolume,
    )
    const quoteVolume = quoteUnits === null ? null : quoteUnits / this.#units.quoteVolume
    const closedAt = endOf(interval, openedAt)
    return {
      openedAt: new Date(openedAt).toISOString(),
      closedAt: new Date(closedAt).toISOString(),
      open: parts[0]?.open ?? NaN,
      high: Math.max(...parts.map((part) => part.high)),
      low: Math.min(...parts.map((part) => part.low)),
      close: parts.at(-1)?.close ?? NaN,
      volume,
      quoteVolume,
      vwap: !quoteVolume || !volume ? null : Math.round((quoteVolume / volume) * 1e8) / 1e8,
      tradeCount: sum(
        parts.map((part) => part.tradeCount),
        1,
      ),
      isClosed: closedAt <= now,
    }
  }
}

/** Returns the length of an interval; for months, that of the shortest. */
export function lengthOf(interval: CandleInterval): number {
  if (interval === '1mo') return 28 * DAY
  return interval === '1w' ? 7 * DAY : interval === '1d' ? DAY : STEPS[interval]
}

function startOf(interval: CandleInterval, time: number): number {
  const date = new Date(time)
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  if (interval === '1mo') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  if (interval === '1w') return day - ((date.getUTCDay() + 6) % 7) * DAY
  if (interval === '1d') return day
  return day + Math.floor((time - day) / STEPS[interval]) * STEPS[interval]
}

function endOf(interval: CandleInterval, openedAt: number): number {
  if (interval !== '1mo') return openedAt + lengthOf(interval)
  const date = new Date(openedAt)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
