import { DAY } from '../src/model/time.ts'
import { sampleReports } from '../src/sample/world/entries.ts'

/** The sample world as tests of its parts need it: prices that swing slowly, and differently for each asset. */
export function sampleContext(now: number, seed = 'mintick-sample') {
  const reports = [...sampleReports({ count: 6000, from: now - 90 * DAY, to: now, seed })]
  return { now, reports, priceAt, seed }
}

/** Undefined for what has no market, as in the world itself. */
export function priceAt(assetKey: string, time: number): number | undefined {
  if (assetKey.endsWith('.KS')) return undefined
  let mark = 0
  for (let i = 0; i < assetKey.length; i++) mark = (mark * 31 + assetKey.charCodeAt(i)) % 1000
  return (30 + mark / 3) * (1 + 0.12 * Math.sin(time / (9 * DAY) + mark))
}
