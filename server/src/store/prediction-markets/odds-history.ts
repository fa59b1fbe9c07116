import { LRUCache } from 'lru-cache'
import { HISTORY_INTERVALS, type HistoryInterval } from '../../model/prediction-markets.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import type { Db } from '../db.ts'

const MAX_POINTS = 500
const STEPS: Record<HistoryInterval, number> = {
  '1h': HOUR,
  '6h': 6 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
}

/** Longer histories are not read as a whole: the last odds of each step are looked up one by one. */
const MAX_ROWS = 2_000
const CACHED_CHARACTERS = 8_000_000

interface OddsRow {
  at: number
  /** JSON. */
  probabilities: string
}

/** Histories of markets, as JSON. */
export class OddsHistory {
  readonly #db: Db
  readonly #cache = new LRUCache<string, string>({ maxSize: CACHED_CHARACTERS })

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Returns the last odds of each step: the given one, or the finest that is not finer than the data and has few enough
   * points. Of too many points it returns the newest. `place` is the position of the market's last recorded odds: the history is the same until it changes.
   */
  async find(seq: number, place: number, given: HistoryInterval | undefined): Promise<string> {
    const key = `${seq} ${place} ${given}`
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const { interval, rows } = await readHistory(this.#db, seq, given)
    const points = rows.map(({ at, probabilities }) => `{"at":"${isoTime(at)}","probabilities":${probabilities}}`)
    const history = `{"interval":"${interval}","points":[${points.join(',')}]}`
    this.#cache.set(key, history, { size: history.length })
    return history
  }
}

async function readHistory(
  db: Db,
  seq: number,
  given: HistoryInterval | undefined,
): Promise<{ interval: string; rows: OddsRow[] }> {
  const newest = await db.query<OddsRow>(
    `select at, probabilities from prediction_odds where seq = $1 order by at desc limit ${MAX_ROWS}`,
    [seq],
  )
  const last = newest[0]?.at ?? 0
  const first = newest.length < MAX_ROWS ? (newest.at(-1)?.at ?? 0) : await findFirst(db, seq)
  const stepsOf = (step: number) => stepAt(last, step) - stepAt(first, step) + 1
  // With at least MAX_ROWS odds this is too large, but still smaller than every step with few enough points.
  const spacing = (last - first) / Math.max(1, newest.length - 1)
  const isFitting = (step: number) => step >= spacing && stepsOf(step) <= MAX_POINTS
  const interval = given ?? HISTORY_INTERVALS.find((name) => isFitting(STEPS[name])) ?? '1w'
  const step = STEPS[interval]
  if (newest.length === MAX_ROWS) return { interval, rows: await listLastOfSteps(db, seq, step) }
  const lastOfSteps = newest.filter(
    ({ at }, index) => index === 0 || stepAt(at, step) !== stepAt(newest[index - 1]?.at ?? 0, step),
  )
  return { interval, rows: lastOfSteps.slice(0, MAX_POINTS).reverse() }
}

const stepAt = (time: number, step: number) => Math.floor(time / step)

async function findFirst(db: Db, seq: number): Promise<number> {
  const [row] = await db.query<{ at: number }>('select at from prediction_odds where seq = $1 order by at limit 1', [
    seq,
  ])
  return row?.at ?? 0
}

/** Reads the last odds of each step, from the newest back: one index lookup per step, however many odds there are. */
async function listLastOfSteps(db: Db, seq: number, step: number): Promise<OddsRow[]> {
  const before = (time: string) => `select max(o.at) from prediction_odds o where o.seq = $1 and o.at < ${time}`
  const startOf = (time: string) => `${time} - ((${time} % ${step}) + ${step}) % ${step}`
  return db.query<OddsRow>(
    `with recursive steps (at, place) as (
       select (${before('9000000000000000')}), 1
       union all
       select (${before(startOf('s.at'))}), s.place + 1 from steps s where s.at is not null and s.place < ${MAX_POINTS}
     )
     select o.at, o.probabilities from steps s join prediction_odds o on o.seq = $1 and o.at = s.at order by o.at`,
    [seq],
  )
}
