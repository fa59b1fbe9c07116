import type { MaterialEvent } from '../../model/sec/material-events.ts'
import { EVENT_ITEMS } from './event-items.ts'
import { signed } from './figures.ts'
import { type Finding, leaningOf } from './finding.ts'
import { type AssetMoment, meanSentiment } from './news.ts'
import type { Thresholds } from './thresholds.ts'

/** A report with an item that matters. Where an item may be good or bad, the news of the day says which. */
export function materialEvent(
  record: MaterialEvent,
  { assetKey, name, recent }: AssetMoment,
  limits: Thresholds['material_event'],
  leaning: number,
): Finding | undefined {
  const heaviest = record.items
    .flatMap(({ code, title }) => {
      const known = EVENT_ITEMS[code]
      return known === undefined ? [] : [{ code, title, ...known }]
    })
    .sort((a, b) => b.weight - a.weight)[0]
  if (heaviest === undefined || heaviest.weight < limits.leastWeight) return undefined
  const { code, title, what, weight, direction } = heaviest
  const scored = recent.filter(({ sentimentScore }) => sentimentScore !== null)
  const sentiment = scored.length < limits.leastEntries ? null : meanSentiment(scored)
  const isOpen = direction === 'neutral' && sentiment !== null
  return {
    kind: 'material_event',
    direction: isOpen ? leaningOf(sentiment, leaning) : direction,
    assetKey,
    strength: weight,
    confidence: isOpen || direction !== 'neutral' ? limits.confidence : limits.openConfidence,
    title: `${name} reports ${what}`,
    summary:
      `${name} filed Form ${record.formType} with item ${code}, ${title}` +
      `${isOpen ? `; ${scored.length} entries of the last 24 hours have a mean sentiment of ${signed(sentiment, 2)}` : ''}.`,
    metrics: null,
    entryIds: isOpen ? scored.map(({ id }) => id) : [],
    secRecords: [{ dataset: 'material-events', id: record.id }],
  }
}
