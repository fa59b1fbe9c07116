import { isDeepStrictEqual } from 'node:util'
import type { NewCluster } from '../model/clusters.ts'
import type { NewEntry } from '../model/entries.ts'
import type { NewCandle, NewMarket } from '../model/markets.ts'
import type { NewPredictionMarket } from '../model/prediction-markets.ts'
import { SEC_DATASETS } from '../model/sec/datasets.ts'
import type { PastSignal } from '../model/signals.ts'
import type { CandleBatch } from '../store/markets/candles.ts'
import { Thread } from '../thread.ts'
import type { SampleSec } from './world/sec/sec.ts'
import { SAMPLE_ENTRIES } from './world/size.ts'

interface Records extends SampleSec {
  clusters: NewCluster[]
  predictionMarkets: NewPredictionMarket[]
  signals: PastSignal[]
}

/** A part of the world: records, some of the entries, or the candles of a market. */
export type Part = keyof Records | { firstEntry: number } | { assetKey: string; interval: CandleBatch['interval'] }

/** Entries of a part. Fewer need less memory. */
export const ENTRY_BATCH = 1_000

/** The numbers of a candle, in the order in which threads pass them. NaN means null. */
export const CANDLE_FIELDS = [
  'openedAt',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'quoteVolume',
  'tradeCount',
] as const satisfies (keyof NewCandle)[]

/** Twice of what the world needs; without a limit, V8 leaves more garbage. */
const HEAP_MB = 128

/** Parts to create while another one is being written. */
const AHEAD = 2

/** The sample world, created in a thread while it is being written. The parts are taken in their order. */
export class WorldParts {
  readonly #thread: Thread<Part, string | Float64Array>
  readonly #markets: readonly NewMarket[]
  readonly #left: Part[]
  readonly #asked: { part: Part; answer: Promise<string | Float64Array> }[] = []

  constructor(now: number, markets: readonly NewMarket[]) {
    this.#thread = new Thread(new URL('./world-thread.ts', import.meta.url), { data: now, heapMb: HEAP_MB })
    this.#markets = markets
    const candles = markets.flatMap(({ assetKey }) => INTERVALS.map((interval) => ({ assetKey, interval })))
    this.#left = [...ENTRY_PARTS, 'clusters', ...candles, 'predictionMarkets', ...SEC_DATASETS, 'signals']
    for (let ahead = 0; ahead < AHEAD; ahead += 1) this.#askNext()
  }

  async records<Name extends keyof Records>(name: Name): Promise<Records[Name]> {
    return JSON.parse(String(await this.#take(name)))
  }

  async *entries(): AsyncGenerator<NewEntry[]> {
    for (const part of ENTRY_PARTS) yield JSON.parse(String(await this.#take(part)))
  }

  async *candles(): AsyncGenerator<CandleBatch> {
    for (const { id: marketId, assetKey } of this.#markets) {
      for (const interval of INTERVALS) {
        const numbers = await this.#take({ assetKey, interval })
        yield { marketId, interval, candles: candlesOf(numbers as Float64Array) }
      }
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #take(part: Part): Promise<string | Float64Array> {
    const next = this.#asked.shift()
    if (next === undefined || !isDeepStrictEqual(next.part, part)) {
      throw new Error(`the part ${JSON.stringify(part)} of the sample world is not the next one`)
    }
    const answer = await next.answer
    this.#askNext()
    return answer
  }

  #askNext(): void {
    const part = this.#left.shift()
    if (part === undefined) return
    const answer = this.#thread.ask(part)
    // The load may fail while nobody waits for the part.
    answer.catch(() => {})
    this.#asked.push({ part, answer })
  }
}

const INTERVALS = ['1d', '1m'] as const
const ENTRY_PARTS = Array.from({ length: SAMPLE_ENTRIES / ENTRY_BATCH }, (_, index) => ({
  firstEntry: index * ENTRY_BATCH,
}))

function candlesOf(numbers: Float64Array): NewCandle[] {
  const candles: NewCandle[] = []
  for (let place = 0; place < numbers.length; place += CANDLE_FIELDS.length) {
    const [openedAt = 0, open = 0, high = 0, low = 0, close = 0, volume = 0, quoteVolume = 0, tradeCount = 0] =
      numbers.subarray(place, place + CANDLE_FIELDS.length)
    candles.push({
      openedAt,
      open,
      high,
      low,
      close,
      volume,
      quoteVolume: orNull(quoteVolume),
      tradeCount: orNull(tradeCount),
    })
  }
  return candles
}

const orNull = (number: number): number | null => (Number.isNaN(number) ? null : number)
