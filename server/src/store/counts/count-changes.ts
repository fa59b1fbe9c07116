import type { Transaction } from '../db.ts'
import { markChanged } from '../lists/catalogue-changes.ts'
import { branchSql } from '../topic-branches.ts'

/** The fields of an entry that counts depend on. */
export interface CountedEntry {
  publisherRef: number
  assetRefs: readonly number[]
  topicRefs: readonly number[]
  /** The topics, and all topics above them. */
  countedTopicRefs: readonly number[]
  publishedAt: number
  sentimentScore: number | null
  /** The score of each of `assetRefs`; null if the entry's score is that of all. */
  assetScores: readonly (number | null)[] | null
}

const WINDOWS = ['day', 'week'] as const
export type WindowName = (typeof WINDOWS)[number]

/** Per window, the publication time up to which entries have left it. */
type LeftUntil = Record<WindowName, number>

const NOUNS = ['asset', 'topic', 'publisher'] as const
type Noun = (typeof NOUNS)[number]

/** Collects changes to the count tables, so that any number of entries needs one write per row. */
export class CountChanges {
  readonly #changes: Record<Noun, Map<number, Change>> = { asset: new Map(), topic: new Map(), publisher: new Map() }

  static async inserted(tx: Transaction, entries: Iterable<CountedEntry>): Promise<void> {
    const changes = new CountChanges()
    const leftUntil = await readLeftUntil(tx)
    for (const entry of entries) changes.#add(entry, 1, { total: true, windows: windowsOf(entry, leftUntil) })
    await changes.#write(tx, EXTEND)
  }

  /** Call after the entries were removed from the store. */
  static async removed(tx: Transaction, entries: Iterable<CountedEntry>): Promise<void> {
    const changes = new CountChanges()
    const leftUntil = await readLeftUntil(tx)
    for (const entry of entries) changes.#add(entry, -1, { total: true, windows: windowsOf(entry, leftUntil) })
    await changes.#write(tx, ADD)
    await changes.#writeEnds(tx)
  }

  /** Applies entries that entered (1) or left (-1) a window because time passed. */
  static async moved(
    tx: Transaction,
    entries: Iterable<CountedEntry>,
    window: WindowName,
    direction: 1 | -1,
  ): Promise<void> {
    const changes = new CountChanges()
    for (const entry of entries) changes.#add(entry, direction, { total: false, windows: [window] })
    await changes.#write(tx, ADD)
  }

  #add(entry: CountedEntry, sign: 1 | -1, within: { total: boolean; windows: readonly WindowName[] }): void {
    this.#addTo('publisher', entry.publisherRef, entry, sign, within)
    for (const [index, ref] of entry.assetRefs.entries()) {
      const { publishedAt, sentimentScore, assetScores } = entry
      const own = assetScores === null ? sentimentScore : (assetScores[index] ?? null)
      this.#addTo('asset', ref, { publishedAt, sentimentScore: own }, sign, within)
    }
    for (const ref of entry.countedTopicRefs) this.#addTo('topic', ref, entry, sign, within)
  }

  #addTo(
    noun: Noun,
    ref: number,
    { publishedAt, sentimentScore }: Pick<CountedEntry, 'publishedAt' | 'sentimentScore'>,
    sign: 1 | -1,
    { total, windows }: { total: boolean; windows: readonly WindowName[] },
  ): void {
    const change = this.#of(noun, ref)
    if (total) change.total += sign
    for (const window of windows) {
      change[window] += sign
      if (sentimentScore === null) continue
      change[`${window}_scored`] += sign
      change[`${window}_sentiment`] += sign * millionths(sentimentScore)
    }
    if (publishedAt < change.first_at) change.first_at = publishedAt
    if (publishedAt > change.last_at) change.last_at = publishedAt
  }

  #of(noun: Noun, ref: number): Change {
    const known = this.#changes[noun].get(ref)
    if (known !== undefined) return known
    const change = newChange(ref)
    this.#changes[noun].set(ref, change)
    return change
  }

  async #write(tx: Transaction, onConflict: (table: string) => string): Promise<void> {
    for (const noun of NOUNS) {
      const table = `${noun}_counts`
      const rows = [...this.#changes[noun].values()].map((change) => Object.values(change))
      await tx.insert(table, COLUMNS, rows, onConflict(table))
    }
    const refsOf = (noun: Noun) => [...this.#changes[noun].keys()]
    await markChanged(tx, { assets: refsOf('asset'), topics: refsOf('topic'), publishers: refsOf('publisher') })
  }

  /** Reads the first and the last entry again: they cannot be derived from differences. */
  async #writeEnds(tx: Transaction): Promise<void> {
    for (const noun of NOUNS) {
      for (const ref of this.#changes[noun].keys()) {
        await tx.query(
          `update ${noun}_counts set
             first_at = (select min(published_at) from ${ENTRIES_OF[noun]}),
             last_at = (select max(published_at) from ${ENTRIES_OF[noun]})
           where ref = $1`,
          [ref],
        )
      }
    }
  }
}

/** The entries that count for $1. */
const ENTRIES_OF: Record<Noun, string> = {
  asset: 'entry_assets where asset_ref = $1',
  topic: `entry_topics where topic_ref in (${branchSql('ref = $1')})`,
  publisher: 'entries where publisher_ref = $1',
}

const newChange = (ref: number) => ({
  ref,
  total: 0,
  day: 0,
  day_scored: 0,
  day_sentiment: 0,
  week: 0,
  week_scored: 0,
  week_sentiment: 0,
  first_at: Number.POSITIVE_INFINITY,
  last_at: Number.NEGATIVE_INFINITY,
})
type Change = ReturnType<typeof newChange>
const COLUMNS = Object.keys(newChange(0))

const SUMS = [
  'total',
  ...WINDOWS.flatMap((window) => [window, `${window}_scored` as const, `${window}_sentiment` as const]),
]

const ADD = (table: string) =>
  `on conflict (ref) do update set ${SUMS.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`

const EXTEND = (table: string) => `${ADD(table)},
  first_at = case when ${table}.first_at < excluded.first_at then ${table}.first_at else excluded.first_at end,
  last_at = case when ${table}.last_at > excluded.last_at then ${table}.last_at else excluded.last_at end`

/** Counts the entries of all topics again, after topics have moved. Call after locking the entries. */
export async function recountTopics(tx: Transaction): Promise<void> {
  const { day, week } = await readLeftUntil(tx)
  await tx.query(
    `update topic_counts set first_at = null, last_at = null, ${SUMS.map((name) => `${name} = 0`).join(', ')}`,
  )
  const sums = ['e.published_at > $1', 'e.published_at > $2'].map(
    (isWithin) => `sum(case when ${isWithin} then 1 else 0 end),
      sum(case when ${isWithin} and e.sentiment_score is not null then 1 else 0 end),
      sum(case when ${isWithin} and e.sentiment_score is not null
        then cast(round(e.sentiment_score * 1000000) as bigint) else 0 end)`,
  )
  await tx.query(
    `with recursive branches (root, id, ref) as (
       select ref, id, ref from topics
       union all
       select b.root, t.id, t.ref from branches b join topics t on t.parent_id = b.id
     ), told (root, seq) as (
       select distinct b.root, s.seq from branches b join entry_topics s on s.topic_ref = b.ref
     )
     insert into topic_counts (${COLUMNS.join(', ')})
     select t.root, count(*), ${sums.join(', ')}, min(e.published_at), max(e.published_at)
     from told t join entries e on e.seq = t.seq group by t.root
     on conflict (ref) do update set ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [day, week],
  )
}

async function readLeftUntil(tx: Transaction): Promise<LeftUntil> {
  const rows = await tx.query<{ name: WindowName; left_until: number }>('select name, left_until from count_windows')
  const leftUntil = { day: 0, week: 0 }
  for (const row of rows) leftUntil[row.name] = row.left_until
  return leftUntil
}

function windowsOf(entry: CountedEntry, leftUntil: LeftUntil): WindowName[] {
  return WINDOWS.filter((window) => entry.publishedAt > leftUntil[window])
}

/** Integers add and subtract exactly; floats would drift. */
const millionths = (score: number) => Math.round(score * 1_000_000)
