import { DAY } from '../src/model/time.ts'
import { sampleReports } from '../src/sample/world/entries.ts'

/** Returns a small sample world for tests of its parts. */
export function sampleContext(now: number, seed = 'mintick-sample') {
  const reports = [...sampleReports({ count: 6000, from: now - 90 * DAY, to: now, seed })]
  return { now, reports, priceAt, seed }
}

/** Returns a price that swings slowly and differently for each asset; undefined for assets without a market. */
export function priceAt(assetKey: string, time: number): number | undefined {
  if (assetKey.endsWith('.KS')) return undefined
  let mark = 0
  for (let i = 0; i < assetKey.length; i++) mark = (mark * 31 + assetKey.charCodeAt(i)) % 1000
  return (30 + mark / 3) * (1 + 0.12 * Math.sin(time / (9 * DAY) + mark))
}
