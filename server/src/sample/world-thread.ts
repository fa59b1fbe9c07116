/** Worker thread: creates the sample world, a part per request. */
import { workerData } from 'node:worker_threads'
import type { NewCandle } from '../model/markets.ts'
import { answerRequests } from '../thread.ts'
import { sampleSignals } from './signals.ts'
import { lazyWorld } from './world/world.ts'
import { CANDLE_FIELDS, ENTRY_BATCH, type Part } from './world-parts.ts'

const now: number = workerData
const world = lazyWorld(now)

answerRequests<Part, string | Float64Array<ArrayBuffer>>(create, (part) =>
  typeof part === 'string' ? [] : [part.buffer],
)

/** Returns candles as numbers, which move to the other side, and other parts as JSON, which costs half of a structured clone. */
function create(part: Part): string | Float64Array<ArrayBuffer> {
  if (typeof part === 'object') {
    if ('firstEntry' in part) {
      return JSON.stringify(world.entries().slice(part.firstEntry, part.firstEntry + ENTRY_BATCH))
    }
    const { daily, minutes } = world.prices()
    return numbersOf((part.interval === '1d' ? daily : minutes)(part.assetKey))
  }
  switch (part) {
    case 'clusters':
    case 'predictionMarkets':
      return JSON.stringify(world[part]())
    case 'signals':
      return JSON.stringify(sampleSignals(world.whole(), now))
    default:
      return JSON.stringify(world.sec()[part])
  }
}

function numbersOf(candles: readonly NewCandle[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(candles.length * CANDLE_FIELDS.length)
  let place = 0
  for (const candle of candles) {
    for (const field of CANDLE_FIELDS) {
      numbers[place] = candle[field] ?? Number.NaN
      place += 1
    }
  }
  return numbers
}
