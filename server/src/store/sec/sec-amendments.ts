import type { SecDataset } from '../../model/sec/datasets.ts'
import type { Db } from '../db.ts'
import { insertRecords, Params } from '../sql.ts'

/** An amendment and the filing or the series of filings that it replaces. */
export interface Amends {
  accessionNumber: string
  amends: string
}

/** Remembers what an amendment replaces, for filings that arrive after it. */
export async function addAmendment(db: Db, dataset: SecDataset, { accessionNumber, amends }: Amends): Promise<void> {
  const row = { dataset, amends, accession_number: accessionNumber }
  await db.transaction((tx) =>
    insertRecords(tx, 'sec_amendments', [row], 'on conflict (dataset, amends, accession_number) do nothing'),
  )
}

/** Lists the amendments of any of the filings or series, by accession number. */
export function listAmendments(db: Db, dataset: SecDataset, amends: readonly string[]): Promise<Amends[]> {
  const params = new Params()
  return db.query<Amends>(
    `select accession_number as "accessionNumber", amends from sec_amendments
     where dataset = ${params.add(dataset)} and amends in (${params.list(amends)}) order by accession_number`,
    params.values,
  )
}
