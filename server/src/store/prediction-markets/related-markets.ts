import { LRUCache } from 'lru-cache'
import type { PredictionMarket } from '../../model/prediction-markets.ts'
import { type Db, type Queryable, SHORT_WALK } from '../db.ts'
import type { Head } from '../lists/feeds.ts'
import { Params } from '../sql.ts'

const MAX_RELATED = 5
const CACHED_MARKETS = 10_000

/** The markets related to one, found when the feed of markets had this head. */
interface Related {
  head: Head
  seqs: readonly number[]
  /** The markets in JSON. */
  list: string
}

/** Finds markets that share assets or topics with another, by how much they share and then by volume. */
export class RelatedMarkets {
  readonly #db: Db
  // `max` would allocate room for all of them at once.
  readonly #known = new LRUCache<number, Related>({ maxSize: CACHED_MARKETS, sizeCalculation: () => 1 })

  constructor(db: Db) {
    this.#db = db
  }

  /** Lists related markets as JSON. `head` is the head of the feed of markets. */
  async list(seq: number, head: Head): Promise<string> {
    const known = this.#known.get(seq)
    // Assets, topics and volumes of a market never change, so the same markets are related until others are added.
    const seqs = known?.head.seq === head.seq ? known.seqs : await this.#find(seq, head)
    if (known?.head.seq === head.seq && known.head.epoch === head.epoch) return known.list
    const list = JSON.stringify(await this.#read(seqs))
    this.#known.set(seq, { head, seqs, list })
    return list
  }

  async #find(seq: number, head: Head): Promise<number[]> {
    const runner = head.seq > SHORT_WALK ? this.#db.heavy : this.#db
    const sharingAll = await listSharingAll(runner, seq)
    return sharingAll.length === MAX_RELATED ? sharingAll : listSharing(runner, seq)
  }

  async #read(seqs: readonly number[]) {
    if (seqs.length === 0) return []
    const params = new Params()
    const rows = await this.#db.query<{ seq: number; doc: string }>(
      `select seq, doc from prediction_markets_docs where seq in (${params.list(seqs)})`,
      params.values,
    )
    return rows
      .sort((one, other) => seqs.indexOf(one.seq) - seqs.indexOf(other.seq))
      .map(({ doc }) => {
        const { id, slug, question, status, probability }: PredictionMarket = JSON.parse(doc)
        return { id, slug, question, status, probability }
      })
  }
}

/** Lists the largest markets that share all assets and topics. If there are enough, no others need to be compared. */
async function listSharingAll(db: Queryable, seq: number): Promise<number[]> {
  const shared = await db.query<{ ref: number; isAsset: number }>(
    `select asset_ref as ref, 1 as "isAsset" from prediction_assets where seq = $1
     union all select topic_ref, 0 from prediction_topics where seq = $1 order by 2 desc, 1`,
    [seq],
  )
  const params = new Params()
  const [first, ...others] = shared.map(({ ref, isAsset }) => {
    const [table, column] = isAsset === 1 ? ['prediction_assets', 'asset_ref'] : ['prediction_topics', 'topic_ref']
    return { table, column, ref: params.add(ref) }
  })
  if (first === undefined) return []
  const tests = others.map(
    ({ table, column, ref }) =>
      `exists (select 1 from ${table} x where x.${column} = ${ref} and x.volume = o.volume and x.seq = o.seq)`,
  )
  const conditions = [`o.${first.column} = ${first.ref}`, `o.seq <> ${params.add(seq)}`, ...tests]
  const rows = await db.query<{ seq: number }>(
    `select o.seq from ${first.table} o where ${conditions.join(' and ')}
     order by o.volume desc, o.seq limit ${MAX_RELATED}`,
    params.values,
  )
  return rows.map((row) => row.seq)
}

async function listSharing(db: Queryable, seq: number): Promise<number[]> {
  const rows = await db.query<{ seq: number }>(
    `select s.seq from (
       select o.seq, o.volume, 3 as weight from prediction_assets m join prediction_assets o on o.asset_ref = m.asset_ref
       where m.seq = $1 and o.seq <> $1
       union all
       select o.seq, o.volume, 1 as weight from prediction_topics m join prediction_topics o on o.topic_ref = m.topic_ref
       where m.seq = $1 and o.seq <> $1
     ) s group by s.seq, s.volume order by sum(s.weight) desc, s.volume desc, s.seq limit ${MAX_RELATED}`,
    [seq],
  )
  return rows.map((row) => row.seq)
}
