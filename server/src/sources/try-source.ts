import type { SourceSpec } from '../store/sources/sources.ts'
import { CONNECTORS } from './catalogue.ts'
import type { Items, PollContext } from './connector.ts'
import type { Fetcher } from './fetch/fetcher.ts'
import { parseAnswer } from './parse-answer.ts'

/** Reads the first part of a source without storing it; returns what it has, or why it cannot be read. */
export async function trySource(
  { kind, options }: SourceSpec,
  fetcher: Fetcher,
  now: number,
): Promise<{ found: string } | { error: string }> {
  const context: PollContext<object, object> = {
    options,
    state: {},
    now,
    fetch: (request) => fetcher.fetch(request),
    parse: async (parseKind, bytes, parseOptions = {}) => parseAnswer(parseKind, bytes, parseOptions),
    knownItems: async () => new Set(),
    unsettled: async () => [],
    withoutHistory: async () => [],
  }
  try {
    const { done, value } = (await CONNECTORS.get(kind)
      ?.poll(context as never)
      .next()) ?? { done: true }
    return { found: done || value === undefined ? 'nothing' : contentOf(value.items) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function contentOf(items: Items): string {
  switch (items.kind) {
    case 'nothing':
      return 'nothing new'
    case 'entries':
      return `${items.feed.items.length} items of "${items.feed.title ?? 'a feed without a title'}"`
    case 'candles':
      return `${items.candles.length} candles of ${items.market.symbol}`
    case 'odds':
      return `${items.markets.length} markets`
    case 'companies':
      return `${items.companies.length} companies`
    case 'filings':
      return `${items.accessionNumbers.length} filings`
    case 'reports':
      return `${items.reports.length} reports`
  }
}
