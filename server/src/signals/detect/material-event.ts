import type { MaterialEvent } from '../../model/sec/material-events.ts'
import { EVENT_ITEMS } from './event-items.ts'
import type { Finding } from './finding.ts'
import type { AssetMoment } from './news.ts'
import { signed } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'
import { type Tone, toneOf } from './tone.ts'

/** Detects a report with an important item. If the item may be good or bad, the news of the day decides. */
export function materialEvent(
  record: MaterialEvent,
  { assetKey, name, recent }: AssetMoment,
  limits: Thresholds['material_event'],
  everyKind: Thresholds['every_kind'],
): Finding | undefined {
  const heaviest = record.items
    .flatMap(({ code, title }) => {
      const known = EVENT_ITEMS[code]
      return known === undefined ? [] : [{ code, title, ...known }]
    })
    .sort((a, b) => b.weight - a.weight)[0]
  if (heaviest === undefined || heaviest.weight < limits.leastWeight) return undefined
  const { code, title, what, weight } = heaviest
  const scored = recent.filter(({ sentimentScore }) => sentimentScore !== null)
  const tone = toneOf(recent, everyKind)
  const usesTone = heaviest.direction === 'neutral' && tone.isKnown
  const direction = usesTone ? tone.direction : heaviest.direction
  return {
    kind: 'material_event',
    direction,
    assetKey,
    strength: weight,
    confidence: direction === 'neutral' ? limits.openConfidence : limits.confidence,
    title: `${name} reports ${what}`,
    summary:
      `${name} filed Form ${record.formType} with item ${code}, ${title}` +
      `${usesTone ? `; news of the last 24 hours about ${name} ${leaningText(tone)}` : ''}.`,
    metrics: null,
    entryIds: usesTone ? scored.map(({ id }) => id) : [],
    secRecords: [{ dataset: 'material-events', id: record.id }],
  }
}

function leaningText({ direction, mean, scored, all }: Tone): string {
  const entries = scored === all ? `${all} entries` : `${scored} of ${all} entries`
  return `${LEANINGS[direction]} (${signed(mean, 2)}, ${entries})`
}

const LEANINGS = { bullish: 'leans positive', bearish: 'leans negative', neutral: 'leans neither way' }
