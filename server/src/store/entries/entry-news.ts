import type { Entry } from '../../model/entries.ts'
import { HOUR } from '../../model/time.ts'
import type { Db } from '../db.ts'

/** An entry with its publisher. */
export interface PublishedEntry {
  seq: number
  publisherId: string
  entry: Entry
}

/** Returns entries with from < seq <= to, in the order of the feed. */
export async function listPublished(db: Db, from: number, to: number, limit: number): Promise<PublishedEntry[]> {
  const rows = await db.query<{ seq: number; publisherId: string; doc: string }>(
    `select e.seq, p.id as "publisherId", e.doc from entries e join publishers p on p.ref = e.publisher_ref
     where e.seq > $1 and e.seq <= $2 order by e.seq limit ${Math.trunc(limit)}`,
    [from, to],
  )
  return rows.map(({ seq, publisherId, doc }) => ({ seq, publisherId, entry: JSON.parse(doc) }))
}

/**
 * Returns the seq of the last entry that existed at a time, or 0. Bisects, since `created_at` never decreases. One statement runs
 * all steps, so that PostgreSQL needs one round trip.
 */
export async function findSeqAt(db: Db, time: number, head: number): Promise<number> {
  const [found] = await db.query<{ seq: number }>(
    `with recursive search (seq, step) as (
       select cast(0 as bigint), cast($3 as bigint)
       union all
       select seq + coalesce((
         select case when e.created_at <= $1 then step end from entries e
         where e.seq >= search.seq + step and e.seq <= $2 order by e.seq limit 1
       ), 0), step / 2
       from search where step > 0
     )
     select max(seq) as seq from search`,
    [time, head, 2 ** Math.floor(Math.log2(Math.max(1, head)))],
  )
  return found?.seq ?? 0
}

/** Sums over the entries of one hour about one asset. */
export interface NewsHour {
  assetKey: string
  /** The start of the hour. */
  hour: number
  entries: number
  scored: number
  sentimentSum: number
}

/**
 * Sums up the entries with from < seq <= to that were published after `since`, by asset and hour of publication. An
 * entry with a publication time in the future counts in the hour in which it arrived.
 */
export async function sumHours(db: Db, from: number, to: number, since: number): Promise<NewsHour[]> {
  const at = 'case when e.published_at < e.created_at then e.published_at else e.created_at end'
  // Asset by asset, in the order of the side table. Sentiment in millionths, whose sum does not depend on the order.
  return db.heavy.query<NewsHour>(
    `select a.key as "assetKey", (${at}) - (${at}) % ${HOUR} as hour, count(*) as entries,
       count(e.sentiment_score) as scored,
       coalesce(sum(cast(round(e.sentiment_score * 1000000) as bigint)), 0) / 1000000.0 as "sentimentSum"
     from assets a cross join entry_assets n cross join entries e
     where n.asset_ref = a.ref and n.seq > $1 and n.seq <= $2 and n.published_at > $3 and e.seq = n.seq
     group by 1, 2 order by 2, 1`,
    [from, to, since],
  )
}
