import type { NewEntry } from '../../../model/entries.ts'
import type { MaterialEvent } from '../../../model/sec/material-events.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import type { NewSignal } from '../../../model/signals.ts'
import { HOUR } from '../../../model/time.ts'
import type { SampleReport } from '../entries.ts'
import { RESULTS } from '../sec/items.ts'
import { newsItems } from '../sec/material-events.ts'
import { recordsOf } from '../sec/sec.ts'
import {
  directionOf,
  type Finding,
  latestOf,
  meanSentiment,
  nameOf,
  SIGNAL_SPAN,
  type SignalContext,
  saturate,
  signed,
} from './signal.ts'

/** Items that are worth a signal, and where they lean without news about them. */
const notable: Readonly<Record<string, { name: string; strength: number; direction: NewSignal['direction'] }>> = {
  '1.01': { name: 'a material agreement', strength: 0.45, direction: 'neutral' },
  '1.02': { name: 'the end of a material agreement', strength: 0.55, direction: 'bearish' },
  '1.05': { name: 'a cybersecurity incident', strength: 0.65, direction: 'bearish' },
  '2.02': { name: 'results', strength: 0.5, direction: 'neutral' },
  '2.05': { name: 'costs of a restructuring', strength: 0.45, direction: 'bearish' },
  '4.02': { name: 'that earlier statements cannot be relied on', strength: 0.9, direction: 'bearish' },
  '5.02': { name: 'a change of leadership', strength: 0.5, direction: 'neutral' },
}

/** News this close to a report is about the same. */
const NEARBY = 36 * HOUR

export function materialEvents({ now, reports, sec }: SignalContext): Finding[] {
  const told = Map.groupBy(reports, ({ story }) => story.assets[0]?.key ?? '')
  return recordsOf(sec, 'material-events').flatMap((report) => {
    const filedAt = Date.parse(report.filedAt)
    const code = report.items[0]?.code ?? ''
    const assetKey = report.assetKey
    if (assetKey === null || notable[code] === undefined || report.isAmendment || filedAt < now - SIGNAL_SPAN) return []
    const entries = (told.get(assetKey) ?? [])
      .filter(({ entry, story }) => itemOf(story) === code && Math.abs(entry.publishedAt - filedAt) < NEARBY)
      .map(({ entry }) => entry)
      .sort((a, b) => a.publishedAt - b.publishedAt)
    // Results and agreements that nobody wrote about are routine.
    if (entries.length === 0 && (code === RESULTS || code === '1.01')) return []
    return [describe(report, assetKey, code, entries)]
  })
}

function itemOf({ event }: SampleReport['story']): string | undefined {
  return event.kind.startsWith('earnings') ? RESULTS : newsItems[event.kind]?.item
}

function describe(
  report: NewRecord<MaterialEvent>,
  assetKey: string,
  code: string,
  entries: readonly NewEntry[],
): Finding {
  const item = notable[code] ?? { name: 'an event', strength: 0.3, direction: 'neutral' }
  const name = nameOf(assetKey)
  const sentiment = meanSentiment(entries)
  return {
    kind: 'material_event',
    direction: sentiment === null ? item.direction : directionOf(sentiment),
    strength: item.strength,
    confidence: saturate(entries.length + 1, 2),
    horizon: '1w',
    assetKey,
    title: `${name} reports ${item.name}`,
    summary:
      `${name} filed an ${report.formType} with item ${code} (${report.items[0]?.title})` +
      (sentiment === null
        ? '; there is no news about it yet.'
        : `; the mean sentiment of the news about it is ${signed(sentiment, 2)} (entries: ${entries.length}).`),
    metrics: null,
    knownAt: Math.max(Date.parse(report.filedAt), latestOf(entries)),
    entries,
    secRecords: [{ dataset: 'material-events', id: report.id }],
  }
}
