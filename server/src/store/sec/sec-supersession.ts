import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
import type { Queryable, Transaction } from '../db.ts'
import type { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRecords } from '../sql.ts'
import { SEC_TABLES } from './sec-tables.ts'

type Named = Pick<SecRecord, 'id' | 'accessionNumber'>

/** The acceptance of a record or a filing that supersedes a record. Its id is that of the first record of the filing. */
interface Superseder {
  at: number
  id: string | null
}

type Found = [superseded: string, superseder: Superseder, isOfRecord: boolean]

/** What new records supersede. */
export interface Supersedes {
  ids: readonly string[]
  accessionNumbers: readonly string[]
}

/** Remembers that a filing supersedes others, which may arrive later. */
export async function insertSupersessions(
  tx: Transaction,
  dataset: SecDataset,
  filings: readonly { accessionNumber: string; acceptedAt: number; supersedes: readonly string[] }[],
): Promise<void> {
  const rows = filings.flatMap(({ accessionNumber, acceptedAt, supersedes }) =>
    [...new Set(supersedes)].map((superseded) => ({
      dataset,
      accession_number: superseded,
      superseded_by: accessionNumber,
      accepted_at: acceptedAt,
    })),
  )
  await insertRecords(
    tx,
    'sec_supersessions',
    rows,
    'on conflict (dataset, accession_number, superseded_by) do nothing',
  )
}

/** Marks the new or changed records that others supersede, and the records that they supersede. */
export async function markSuperseded(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: SecDataset,
  changed: readonly Named[],
  supersedes: Supersedes,
): Promise<void> {
  const targets = await listTargets(tx, dataset, supersedes)
  const superseders = await listSuperseders(tx, dataset, [...changed, ...targets])
  const ids = new Set([...superseders.keys(), ...targets.map(({ id }) => id)])
  for (const seq of (await records.seqsOf(tx, [...ids])).values()) {
    const doc = await records.docOf(tx, seq)
    const by = superseders.get(doc.id) ?? []
    const knownTo = by[0] === undefined ? null : Math.max(by[0].at, Date.parse(doc.filedAt))
    const supersededById = by.at(-1)?.id ?? null
    const [row] = await tx.query<{ knownTo: number | null }>(
      `select known_to as "knownTo" from ${SEC_TABLES[dataset].list.table} where seq = $1`,
      [seq],
    )
    if (row?.knownTo === knownTo && doc.supersededById === supersededById) continue
    const columns = { superseded: Number(knownTo !== null), known_to: knownTo }
    await records.edit(tx, seq, columns, { ...doc, supersededById })
  }
}

async function listTargets(tx: Queryable, dataset: SecDataset, supersedes: Supersedes): Promise<Named[]> {
  const { table } = SEC_TABLES[dataset].list
  const found: Named[] = []
  const listBy = (condition: string, values: readonly string[]) =>
    forEachChunk(values, async (params, list) => {
      const sql = `select id, accession_number as "accessionNumber" from ${table} where ${condition} in (${list})`
      found.push(...(await tx.query<Named>(sql, params.values)))
    })
  await listBy('id', supersedes.ids)
  await listBy('superseded in (0, 1) and accession_number', supersedes.accessionNumbers)
  return found
}

/** Lists what supersedes each of the records, by their id, in the order of acceptance. */
export async function listSuperseders(
  db: Queryable,
  dataset: SecDataset,
  records: readonly Named[],
): Promise<Map<string, Superseder[]>> {
  const { table } = SEC_TABLES[dataset].list
  const found: Found[] = []
  const ids = records.map(({ id }) => id)
  await forEachChunk(ids, async (params, list) => {
    const rows = await db.query<Superseder & { superseded: string }>(
      `select supersedes_id as superseded, id, filed_at as at from ${table} where supersedes_id in (${list})`,
      params.values,
    )
    for (const { superseded, id, at } of rows) found.push([superseded, { id, at }, true])
  })
  const byFiling = Map.groupBy(records, ({ accessionNumber }) => accessionNumber)
  await forEachChunk([...byFiling.keys()], async (params, list) => {
    const rows = await db.query<Superseder & { superseded: string }>(
      `select s.accession_number as superseded, s.accepted_at as at, (
         select t.id from ${table} t where t.superseded in (0, 1) and t.accession_number = s.superseded_by
         order by t.seq limit 1
       ) as id
       from sec_supersessions s where s.dataset = ${params.add(dataset)} and s.accession_number in (${list})`,
      params.values,
    )
    for (const { superseded, id, at } of rows) {
      for (const record of byFiling.get(superseded) ?? []) found.push([record.id, { id, at }, false])
    }
  })
  found.sort(byAcceptance)
  const grouped = Map.groupBy(found, ([superseded]) => superseded)
  return new Map([...grouped].map(([superseded, all]) => [superseded, all.map(([, superseder]) => superseder)]))
}

/** A record that supersedes another one comes after its filing, which supersedes all; the order of arrival does not matter. */
const byAcceptance = ([, one, isOneOfRecord]: Found, [, other, isOtherOfRecord]: Found): number =>
  one.at - other.at || Number(isOneOfRecord) - Number(isOtherOfRecord) || ((one.id ?? '') < (other.id ?? '') ? -1 : 1)
