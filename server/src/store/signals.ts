import { Json } from '../model/json.ts'
import type { CursorPage } from '../model/paging.ts'
import { type NewSignal, Signal } from '../model/signals.ts'
import { isoTime } from '../model/time.ts'
import type { Db, Transaction } from './db.ts'
import { inSchemaOrder } from './lists/docs.ts'
import type { PageRequest } from './lists/feed-pages.ts'
import { anyRef, anyText, type Filters, indexed, least, most } from './lists/record-filters.ts'
import type { RecordList } from './lists/record-query.ts'
import { type NewRow, Records } from './lists/records.ts'
import { getRef, refsBy } from './lists/refs.ts'
import { insertRecords } from './sql.ts'

const SIGNAL_LIST: RecordList = {
  table: 'signals',
  filters: {
    assetKey: anyRef('asset_ref', 'assets', 'key', 'strength'),
    assetId: anyRef('asset_ref', 'assets', 'id', 'strength'),
    kind: indexed(anyText('kind'), 'strength'),
    status: indexed(anyText('status'), 'strength'),
    direction: indexed(anyText('direction')),
    horizon: anyText('horizon'),
    strengthMin: least('strength'),
    confidenceMin: least('confidence'),
    generatedAfter: least('generated_at'),
    generatedBefore: most('generated_at'),
  },
  sorts: { generatedAt: 'generated_at', strength: 'strength', confidence: 'confidence' },
}

const MAX_OF_AN_ENTRY = 100

export type Signals = ReturnType<typeof signalsStore>

export function signalsStore(db: Db) {
  const records = new Records<Signal>(db, SIGNAL_LIST)

  const settle = (now: number) => records.settle(`status = 'active' and expires_at <= $1`, now, 'expired')

  return {
    async page(request: PageRequest<Filters>, now: number): Promise<CursorPage<Signal>> {
      await settle(now)
      return records.page(request)
    },

    async find(id: string, now: number): Promise<Json<Signal> | undefined> {
      await settle(now)
      const found = await records.find('id', id.toLowerCase())
      return found && Json.text(found.doc)
    },

    /** Those that name the entry as evidence, newest first. */
    async listByEntry(entryId: string, now: number): Promise<Signal[]> {
      await settle(now)
      const rows = await db.query<{ doc: string }>(
        `select r.doc from signal_entries n join signals t on t.seq = n.seq join signals_docs r on r.seq = n.seq
         where n.entry_id = $1 order by t.generated_at desc, t.seq desc limit ${MAX_OF_AN_ENTRY}`,
        [entryId.toLowerCase()],
      )
      return rows.map(({ doc }) => JSON.parse(doc))
    },

    total: (): Promise<number> => records.total(),

    /** One whose id is already there is left as it is. */
    insert(signals: readonly NewSignal[], now: number): Promise<number> {
      return records.write((tx) => insertSignals(tx, records, signals, now))
    },
  }
}

async function insertSignals(
  tx: Transaction,
  records: Records<Signal>,
  given: readonly NewSignal[],
  now: number,
): Promise<number> {
  const fresh = await records.onlyNew(tx, given)
  if (fresh.length === 0) return 0
  const assets = await refsBy<{ ref: number; id: string }>(
    tx,
    'assets',
    'key',
    fresh.map(({ assetKey }) => assetKey),
    ['id'],
  )
  const rows = fresh.map((signal) => rowOf(signal, getRef(assets, signal.assetKey, 'asset'), now))
  const firstSeq = await records.append(tx, rows, now)
  await insertRecords(
    tx,
    'signal_entries',
    fresh.flatMap(({ entryIds }, index) =>
      [...new Set(entryIds)].map((id) => ({ entry_id: id, seq: firstSeq + index })),
    ),
  )
  return fresh.length
}

function rowOf(signal: NewSignal, asset: { ref: number; id: string }, now: number): NewRow {
  const { isSuperseded, ...rest } = signal
  const expiresAt = Date.parse(signal.expiresAt)
  const status = isSuperseded ? 'superseded' : expiresAt <= now ? 'expired' : 'active'
  return {
    columns: {
      id: signal.id,
      kind: signal.kind,
      direction: signal.direction,
      asset_ref: asset.ref,
      horizon: signal.horizon,
      status,
      strength: signal.strength,
      confidence: signal.confidence,
      generated_at: Date.parse(signal.generatedAt),
      expires_at: expiresAt,
    },
    doc: inSchemaOrder(Signal, { ...rest, assetId: asset.id, status, createdAt: isoTime(now) }),
    text: `${signal.title} ${signal.summary} ${signal.assetKey}`,
  }
}
