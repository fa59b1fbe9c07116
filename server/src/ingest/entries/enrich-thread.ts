/** Worker thread: cleans and enriches raw items, so that a long text does not block requests. */
import { type EnrichCatalogue, Enricher, type RawText } from '../../enrich/enrich.ts'
import type { Entity } from '../../model/entities.ts'
import type { EntryFindings } from '../../model/entries.ts'
import { Refused } from '../../model/refused.ts'
import { answerRequests } from '../../thread.ts'
import { type RawEntry, readRawEntry } from './raw-entry.ts'

export type EnrichRequest =
  | { kind: 'clean'; values: readonly unknown[]; now: number }
  /** `catalogue` is sent only if it has changed since the last request. */
  | { kind: 'read' | 'entities'; texts: readonly RawText[]; catalogue?: EnrichCatalogue }

export interface EnrichAnswer {
  entries: (RawEntry | { refused: string })[]
  findings: EntryFindings[]
  entities: Entity[][]
}

const NOTHING: EnrichAnswer = { entries: [], findings: [], entities: [] }

let enricher = new Enricher({ assets: [], topics: [] })

answerRequests((request: EnrichRequest): EnrichAnswer => {
  if (request.kind === 'clean') {
    return { ...NOTHING, entries: request.values.map((value) => cleaned(value, request.now)) }
  }
  if (request.catalogue !== undefined) enricher = new Enricher(request.catalogue)
  if (request.kind === 'read') return { ...NOTHING, findings: request.texts.map((text) => enricher.read(text)) }
  return { ...NOTHING, entities: request.texts.map((text) => enricher.entitiesOf(text)) }
})

function cleaned(value: unknown, now: number): RawEntry | { refused: string } {
  try {
    return readRawEntry(value, now)
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}
