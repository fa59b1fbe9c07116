import { randomUUID } from 'node:crypto'
import type { NewSignal } from '../src/model/signals.ts'
import { DAY, isoTime } from '../src/model/time.ts'

/** Returns a signal about the asset AAPL that is valid for a day, with the given changes. */
export function newSignal(generatedAt: number, given: Partial<NewSignal> = {}): NewSignal {
  return {
    id: randomUUID(),
    kind: 'news_volume_spike',
    direction: 'bullish',
    strength: 0.5,
    confidence: 0.5,
    horizon: '1d',
    assetKey: 'AAPL',
    title: 'Apple: 14 entries in 24 hours',
    summary: 'Usually there are 3.',
    entryIds: [],
    clusterId: null,
    secRecords: [],
    predictionMarketIds: [],
    metrics: null,
    referencePrice: 100,
    model: { name: 'test', version: '1' },
    generatedAt: isoTime(generatedAt),
    expiresAt: isoTime(generatedAt + DAY),
    outcome: null,
    isSuperseded: false,
    ...given,
  }
}
