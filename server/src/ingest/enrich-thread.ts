/** Worker thread: reads texts, so that a long one holds nobody up. */
import { type Catalogue, type Enriched, Enricher, type RawText } from '../enrich/enrich.ts'
import { answerRequests } from '../thread.ts'

export interface EnrichRequest {
  texts: readonly RawText[]
  /** Only when it has changed since the last request. */
  catalogue?: Catalogue
}

let enricher = new Enricher({ assets: [], topics: [] })

answerRequests(({ texts, catalogue }: EnrichRequest): Enriched[] => {
  if (catalogue !== undefined) enricher = new Enricher(catalogue)
  return texts.map((text) => enricher.enrich(text))
})
