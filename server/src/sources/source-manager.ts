import type { Clock } from '../clock.ts'
import { OperatorError } from '../config.ts'
import { idOf } from '../model/ids.ts'
import { isoTime } from '../model/time.ts'
import type { SourceRecord, SourceSpec } from '../store/sources/sources.ts'
import type { Store } from '../store/store.ts'
import { CONNECTORS } from './catalogue.ts'
import type { Connector } from './connector.ts'
import { feedConnector } from './feed/connector.ts'
import type { Feed } from './feed/feed.ts'
import type { SourceRunner } from './runner.ts'
import type { DefaultOptions } from './sources-file.ts'

/** The feed at an address, or the first one that the page there links to. */
export interface FoundFeed {
  url: string
  title: string | null
  language: string | null
  items: number
  /** Publication time of the newest item. */
  newestAt: string | null
  /** Further feeds that the page links to. */
  others: string[]
  /** Why the feed may not be worth reading. */
  warning: string | null
}

/** A source that cannot be added, in words for the operator. */
export class SourceRefused extends Error {}

const MAX_FEED_BYTES = 20_000_000
/** A feed without items since then is probably given up. */
const OLD_MS = 90 * 86_400_000

/** What an operator does with sources. */
export class SourceManager {
  readonly #store: Store
  readonly #runner: SourceRunner
  readonly #clock: Clock
  readonly #defaults: DefaultOptions

  constructor(parts: { store: Store; runner: SourceRunner; clock: Clock; defaults?: DefaultOptions }) {
    this.#store = parts.store
    this.#runner = parts.runner
    this.#clock = parts.clock
    this.#defaults = parts.defaults ?? {}
  }

  list(): Promise<SourceRecord[]> {
    return this.#store.sources.list()
  }

  /** Finds a source by its id or its address. */
  async find(idOrKey: string): Promise<SourceRecord | undefined> {
    const all = await this.#store.sources.list()
    return all.find(({ key }) => key === idOrKey || sourceId(key) === idOrKey)
  }

  /** Adds sources of any kind by their options; those of several pairs become several sources. */
  async add(given: object): Promise<SourceRecord[]> {
    const { readSource } = await import('./sources-file.ts')
    const read = readSource(given, this.#defaults)
    if ('problems' in read) {
      throw new SourceRefused(read.problems.map(({ keys, message }) => `${keys.join('.')} ${message}`).join('; '))
    }
    return this.#addAll(read.specs)
  }

  /** Returns what can be added: the kinds of sources with the schemas of their options, and the presets. */
  async offers(): Promise<{ kinds: Pick<Connector, 'kind' | 'brings' | 'options'>[]; presets: string[] }> {
    const { PRESETS } = await import('./sources-file.ts')
    return { kinds: [...CONNECTORS.values()], presets: [...PRESETS] }
  }

  /** Adds all sources of a preset. */
  async addPreset(preset: string): Promise<SourceRecord[]> {
    const { PRESETS, readSources } = await import('./sources-file.ts')
    if (!PRESETS.includes(preset)) throw new SourceRefused(`preset must be one of ${PRESETS.join(', ')}`)
    try {
      return await this.#addAll(readSources(preset, this.#defaults).sources)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      throw new SourceRefused(error.message)
    }
  }

  /** Looks at an address, which is a feed or a page that links to one, and adds the feed. */
  async addUrl(url: string): Promise<{ found: FoundFeed; source: SourceRecord }> {
    const found = await this.inspect(url)
    const [source] = await this.add({ kind: feedConnector.kind, url: found.url })
    if (source === undefined) throw new Error(`failed to add ${found.url}`)
    return { found, source }
  }

  async inspect(url: string): Promise<FoundFeed> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new SourceRefused(`${url} is not an http address`)
    const { findDeadFeed } = await import('./sources-file.ts')
    const { fetch, parse } = this.#runner.contextOf(feedConnector, { options: {}, state: {} })
    const { body, headers, url: answered, movedTo } = await fetch({ url, maxBytes: MAX_FEED_BYTES })
    const contentType = headers['content-type']?.toString()
    const options = { contentType, url: answered }
    const dead = findDeadFeed(url) ?? null
    try {
      return this.#describe(movedTo ?? url, await parse('feed', body, options), [], dead)
    } catch (error) {
      const links = await parse('feed links', body, options)
      const [first, ...others] = links
      if (first === undefined) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new SourceRefused(`${url} is not a feed (${reason}) and does not link to one`)
      }
      const linked = await fetch({ url: first, maxBytes: MAX_FEED_BYTES })
      const linkedType = linked.headers['content-type']?.toString()
      const feed = await parse('feed', linked.body, { contentType: linkedType, url: linked.url }).catch((problem) => {
        throw new SourceRefused(`${url} links to ${first}, which is not a feed (${problem.message})`)
      })
      return this.#describe(linked.movedTo ?? first, feed, others, findDeadFeed(first) ?? null)
    }
  }

  #describe(url: string, { title, language, items }: Feed, others: string[], dead: string | null): FoundFeed {
    const newest = items.reduce((time, { publishedAt }) => Math.max(time, publishedAt ?? 0), 0)
    const isOld = newest > 0 && newest < this.#clock.now() - OLD_MS
    return {
      url,
      title,
      language,
      items: items.length,
      newestAt: newest > 0 ? isoTime(newest) : null,
      others,
      warning:
        dead ?? (items.length === 0 ? 'it has no items' : isOld ? 'its newest item is more than 90 days old' : null),
    }
  }

  async #addAll(specs: readonly SourceSpec[]): Promise<SourceRecord[]> {
    const added: SourceRecord[] = []
    for (const spec of specs) {
      await this.#store.sources.add(spec, this.#clock.now())
      const source = await this.#store.sources.find(spec.key)
      if (source !== undefined) added.push(source)
    }
    return added
  }

  run = (key: string): Promise<boolean> => this.#store.sources.runSoon(key, this.#clock.now())
  pause = (key: string): Promise<boolean> => this.#store.sources.pause(key)
  resume = (key: string): Promise<boolean> => this.#store.sources.resume(key, this.#clock.now())
  /** Returns false for a source of the SOURCES setting, which has to be removed there. */
  remove = (key: string): Promise<boolean> => this.#store.sources.remove(key)
}

export const sourceId = (key: string): string => idOf(`mintick:source:${key}`)
