import { createHash } from 'node:crypto'
import Type from 'typebox'
import { PUBLISHER_TYPES } from '../../model/publishers.ts'
import { HOUR, MINUTE, SECOND } from '../../model/time.ts'
import type { Connector } from '../connector.ts'
import { FetchError } from '../fetch/fetch-error.ts'
import type { Fetched } from '../fetch/fetcher.ts'

const Options = Type.Object(
  {
    url: Type.String({ pattern: '^https?://', maxLength: 2_048, description: 'Address of the feed' }),
    publisher: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the publisher' })),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Domain of the publisher' })),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'Country of the publisher, such as DE' })),
    language: Type.Optional(Type.String({ pattern: '^[a-z]{2}$', description: 'Language of its items, such as de' })),
    type: Type.Optional(Type.Enum(PUBLISHER_TYPES, { description: 'Type of the publisher' })),
  },
  { additionalProperties: false },
)

interface State {
  etag: string | null
  lastModified: string | null
  /** Of the last body: servers that ignore conditions send the same one again. */
  digest: string
  /** The address to which the feed moved for good. */
  movedTo: string | null
}

/** Ends with everything: some servers refuse a request for XML alone. */
const ACCEPT = 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8'
/** A publisher may ask for longer pauses, up to this one. */
const LONGEST_PAUSE = 6 * HOUR

/** RSS, RDF, Atom and JSON feeds. */
export const feedConnector: Connector<typeof Options, State> = {
  kind: 'feed',
  brings: 'news',
  options: Options,
  keyOf: ({ url }) => new URL(url).href,
  politeness: { atOnce: 1, gapMs: SECOND },
  every: { first: 10 * MINUTE, least: 2 * MINUTE, most: 6 * HOUR },

  async *poll({ options, state, fetch, parse }) {
    const { answer, movedTo } = await fetchFeed(fetch, options.url, state)
    const leastMs = Math.min(freshFor(answer), LONGEST_PAUSE)
    if (answer.status === 304) return { isChanged: false, leastMs }
    const next: State = {
      etag: header(answer, 'etag') ?? null,
      lastModified: header(answer, 'last-modified') ?? null,
      digest: createHash('sha256').update(answer.body).digest('base64'),
      movedTo,
    }
    if (next.digest === state.digest) {
      yield { items: { kind: 'nothing' }, state: next }
      return { isChanged: false, leastMs }
    }
    const feed = await parse('feed', answer.body, { contentType: header(answer, 'content-type'), url: answer.url })
    const { publisher: name, domain, country: countryCode, language, type } = options
    yield { items: { kind: 'entries', feed, publisher: { name, domain, countryCode, language, type } }, state: next }
    return { isChanged: true, leastMs: Math.min(Math.max(leastMs, (feed.updateMinutes ?? 0) * MINUTE), LONGEST_PAUSE) }
  },
}

type Fetch = (request: { url: string; headers: Record<string, string> }) => Promise<Fetched>

/** Fetches a feed at the address to which it moved; at the original one if nothing is there any more. */
async function fetchFeed(fetch: Fetch, url: string, { movedTo = null, ...validators }: Partial<State>) {
  if (movedTo !== null) {
    try {
      const answer = await fetchChanged(fetch, movedTo, validators)
      return { answer, movedTo: answer.movedTo ?? movedTo }
    } catch (error) {
      if (!hasStatus(error, 404, 410)) throw error
    }
  }
  const answer = await fetchChanged(fetch, url, validators)
  return { answer, movedTo: answer.movedTo ?? null }
}

/** Asks for the feed only if it changed; again without conditions if the server cannot handle them. */
async function fetchChanged(fetch: Fetch, url: string, { etag, lastModified }: Partial<State>): Promise<Fetched> {
  const conditions = {
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
  }
  try {
    return await fetch({ url, headers: { accept: ACCEPT, ...conditions } })
  } catch (error) {
    if (!hasStatus(error, 412)) throw error
    return fetch({ url, headers: { accept: ACCEPT } })
  }
}

const hasStatus = (error: unknown, ...statuses: number[]) =>
  error instanceof FetchError && error.status !== undefined && statuses.includes(error.status)

function header({ headers }: Fetched, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Returns for how long the server says that its answer stays the same. */
function freshFor(answer: Fetched): number {
  const cacheControl = header(answer, 'cache-control') ?? ''
  const [, seconds] = /(?:^|[\s,])max-age=(\d+)/.exec(cacheControl) ?? []
  const age = Number(header(answer, 'age') ?? 0)
  if (seconds === undefined || /no-cache|no-store/.test(cacheControl)) return 0
  return Math.max(0, Number(seconds) - (Number.isFinite(age) ? age : 0)) * SECOND
}
