import type { Clock } from '../../clock.ts'
import { sec } from '../../import/sec.ts'
import type { EntryIntake } from '../../ingest/entries/entry-intake.ts'
import type { NewAsset } from '../../model/assets.ts'
import { idOf } from '../../model/ids.ts'
import type { Position } from '../../model/paging.ts'
import type { SecDataset, SecRecords } from '../../model/sec/datasets.ts'
import { NO_FACTS } from '../../model/sec/financial-filings.ts'
import type { AcceptedFiling, SecRecord } from '../../model/sec/record.ts'
import type { Brought } from '../../store/sources/sources.ts'
import type { Store } from '../../store/store.ts'
import type { Items } from '../connector.ts'
import { countReasons } from '../count-reasons.ts'
import { companyAssets } from './companies.ts'
import type { FilingFields } from './filing.ts'
import { baseForm } from './filing-forms.ts'
import type { OwnershipRow } from './forms/ownership.ts'

/** Filings are known by their accession numbers, whichever source of EDGAR brought them. */
export const FILINGS_KEY = 'edgar'

type ItemsOf<Kind extends Items['kind']> = Extract<Items, { kind: Kind }>
type Row = FilingFields & { [field: string]: unknown }

/** Companies in a write, so that the catalogue is not locked for long. */
const ASSETS_AT_ONCE = 500
const PAGE = 500
/** An amendment of a filing that lies further back supersedes nothing. */
const MAX_PAGES = 40

/** Stores what EDGAR brings: companies as assets, filings as SEC records. */
export class EdgarSink {
  readonly #store: Store
  readonly #intake: EntryIntake
  readonly #clock: Clock
  #assets: KnownAssets | undefined

  constructor(parts: { store: Store; intake: EntryIntake; clock: Clock }) {
    this.#store = parts.store
    this.#intake = parts.intake
    this.#clock = parts.clock
  }

  async takeCompanies({ companies, isComplete, reasons }: ItemsOf<'companies'>): Promise<Brought> {
    const { assets } = this.#store
    const changes = companyAssets(companies, await assets.listAll(), { isComplete })
    const brought: Brought = { added: 0, changed: 0, rejections: countReasons(reasons), lagMs: null }
    for (let start = 0; start < changes.length; start += ASSETS_AT_ONCE) {
      const { added, changed } = await assets.upsert(changes.slice(start, start + ASSETS_AT_ONCE), this.#clock.now())
      brought.added += added
      brought.changed += changed
    }
    return brought
  }

  async takeFilings({ filings, accessionNumbers, reasons }: ItemsOf<'filings'>): Promise<Brought> {
    const assets = await this.#knownAssets()
    const completed: object[] = []
    const restatements: AcceptedFiling<SecRecords['institutional-holdings']>[] = []
    for (const { dataset, accessionNumber, rows } of filings) {
      const amended = await this.#listAmended(dataset, rows as Row[])
      const replaced = Map.groupBy(amended, lineOf)
      if (dataset === 'institutional-holdings' && amended.length > 0) {
        const acceptedAt = Date.parse(rows[0]?.filedAt ?? '')
        const supersedes = [...new Set(amended.map((record) => record.accessionNumber))]
        restatements.push({ accessionNumber, acceptedAt, supersedes, records: [] })
      }
      for (const [index, row] of (rows as Row[]).entries()) {
        completed.push(complete(dataset, row, index, replaced.get(lineOf(row))?.shift()?.id ?? null, assets))
      }
    }
    const brought = await this.#write(completed, reasons)
    if (restatements.length > 0) await this.#store.sec.add('institutional-holdings', restatements, this.#clock.now())
    await this.#remember(accessionNumbers)
    const times = filings.flatMap(({ rows }) => rows.slice(0, 1).flatMap(({ filedAt }) => filedAt ?? []))
    const [latest] = times.sort().reverse()
    return { ...brought, lagMs: latest === undefined ? null : this.#clock.now() - Date.parse(latest) }
  }

  async takeReports({ reports, figures }: ItemsOf<'reports'>): Promise<Brought> {
    const byNumber = new Map(figures.map((report) => [report.accessionNumber, report]))
    const { byCik } = await this.#knownAssets()
    const rows = reports.map(({ accessionNumber, formType, cik, companyName, filedAt, filingDate }) => {
      const known = byNumber.get(accessionNumber)
      const asset = byCik.get(cik)
      return {
        dataset: 'financial-filings',
        accessionNumber,
        formType,
        filedAt,
        ...(filingDate != null && { filingDate }),
        cik,
        companyName: companyName ?? asset?.name,
        ticker: asset?.symbol ?? null,
        assetKey: asset?.key ?? null,
        periodOfReport: known?.periodEnd ?? null,
        items: [],
        fiscalYear: known?.fiscalYear ?? null,
        fiscalPeriod: known?.fiscalPeriod ?? null,
        periodStart: known?.periodStart ?? null,
        periodEnd: known?.periodEnd ?? null,
        currency: known?.currency ?? null,
        isXbrl: known !== undefined,
        facts: known?.facts ?? NO_FACTS,
        factDetails: known?.factDetails ?? [],
        documents: [],
      }
    })
    const brought = await this.#write(rows)
    await this.#remember(reports.map(({ accessionNumber }) => accessionNumber))
    return brought
  }

  async #write(rows: readonly object[], reasons: readonly string[] = []): Promise<Brought> {
    const parts = { store: this.#store, intake: this.#intake, now: this.#clock.now() }
    const all = [...reasons]
    let [added, changed] = [0, 0]
    for (let start = 0; start < rows.length; start += sec.batchRows) {
      const written = await sec.write(rows.slice(start, start + sec.batchRows), { update: true }, parts)
      added += written.added
      changed += written.changed
      all.push(...written.refused.map(({ reason }) => reason))
    }
    return { added, changed, rejections: countReasons(all), lagMs: null }
  }

  #remember(accessionNumbers: readonly string[]): Promise<void> {
    return this.#store.sources.rememberItems(
      accessionNumbers.map((number) => ({ sourceKey: FILINGS_KEY, guid: number, entryId: number })),
    )
  }

  /** Lists the records of the filings that an amendment replaces; none if it adds to them or they are not stored. */
  async #listAmended(dataset: SecDataset, rows: readonly Row[]): Promise<(SecRecord & Row)[]> {
    const [row] = rows
    if (row?.amendment?.effect !== 'replaces') return []
    // A 13F restates its whole quarter; another amendment corrects the filing before it.
    if (dataset === 'institutional-holdings') return Array.fromAsync(this.#walkEarlier(dataset, row))
    const accessionNumber =
      row.amendment.accessionNumber ?? (await this.#walkEarlier(dataset, row).next()).value?.accessionNumber
    if (accessionNumber === undefined) return []
    return Array.fromAsync(this.#walk(dataset, { accessionNumber: [accessionNumber] }))
  }

  /** Lists records of earlier filings of the same form, company, owner and period, the latest filing first. */
  async *#walkEarlier(dataset: SecDataset, row: Row): AsyncGenerator<SecRecord & Row, undefined> {
    const { periodOfReport } = row
    const filer =
      dataset === 'institutional-holdings'
        ? { managerCik: [row.managerCik], ...(periodOfReport !== null && { filedAfter: Date.parse(periodOfReport) }) }
        : { cik: [row.cik] }
    const owner = dataset === 'insider-trades' ? { ownerCik: [row.ownerCik] } : {}
    for await (const record of this.#walk(dataset, {
      ...filer,
      ...owner,
      filedBefore: Date.parse(row.filedAt ?? ''),
    })) {
      const isSame =
        baseForm(record.formType) === baseForm(row.formType ?? '') &&
        record.periodOfReport === periodOfReport &&
        record.accessionNumber !== row.accessionNumber
      if (isSame) yield record
    }
  }

  /** Lists records, the latest filing first. */
  async *#walk(dataset: SecDataset, filters: object): AsyncGenerator<SecRecord & Row> {
    let from: Position | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const request = { filters: { includeSuperseded: true, ...filters }, sort: 'filedAt:desc', limit: PAGE, from }
      // The filters are those of any dataset.
      const { data, hasMore, last } = await this.#store.sec.page(dataset, request as never)
      yield* data.parse() as (SecRecord & Row)[]
      if (!hasMore || last === null) return
      from = { direction: 'after', key: last, inclusive: false }
    }
  }

  async #knownAssets(): Promise<KnownAssets> {
    const version = await this.#store.assets.version()
    if (this.#assets?.version !== version) {
      const byCik = new Map<string, NewAsset>()
      const byName = new Map<string, NewAsset | null>()
      for (const asset of await this.#store.assets.listAll()) {
        if (asset.cik === null) continue
        // The first ticker of a company is its main one.
        if (!byCik.has(asset.cik)) byCik.set(asset.cik, asset)
        for (const name of new Set([asset.name, ...asset.aliases].map(plainName))) {
          const other = byName.get(name)
          // A name of two companies tells neither.
          if (other === undefined) byName.set(name, asset)
          else if (other !== null && other.cik !== asset.cik) byName.set(name, null)
        }
      }
      this.#assets = { version, byCik, byName }
    }
    return this.#assets
  }
}

/** The assets of companies, as of a version of the catalogue. */
interface KnownAssets {
  version: string
  byCik: Map<string, NewAsset>
  /** Null for a name that several companies have. */
  byName: Map<string, NewAsset | null>
}

/** Adds what only the store knows: the asset, and the record that an amendment replaces. */
function complete(
  dataset: SecDataset,
  { id: _id, ...row }: Row,
  index: number,
  supersedesId: string | null,
  { byCik, byName }: KnownAssets,
): object {
  const asset = row.cik === null ? byName.get(plainName(row.companyName ?? '')) : byCik.get(row.cik)
  return {
    ...row,
    dataset,
    // A table may have several lines of the same security.
    ...(dataset === 'institutional-holdings' && {
      id: idOf(`mintick:sec:${JSON.stringify([dataset, row.accessionNumber, index])}`),
    }),
    // Of a company that is not known, the filing is under its filer.
    cik: row.cik ?? asset?.cik ?? row.managerCik,
    ticker: row.ticker ?? asset?.symbol ?? null,
    assetKey: asset?.key ?? null,
    supersedesId,
    ...(isTrade(row) && {
      ownershipType: row.ownershipType ?? 'direct',
      // Filers refer to notes that they left out.
      footnotes: row.footnotes.filter(({ text }) => text !== ''),
    }),
  }
}

const isTrade = (row: object): row is OwnershipRow => 'footnotes' in row

/** Fields that tell the lines of a filing apart. A dataset with one record per filing has none of them. */
const LINE = ['lineNumber', 'cusip', 'putCall', 'shareType', 'investmentDiscretion', 'securityTitle'] as const

const lineOf = (row: Row) => JSON.stringify(LINE.map((field) => row[field]))

/** Names in tables of 13F are in capitals, without punctuation, and have various legal forms. */
const plainName = (name: string) =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, ' ')
    .replace(
      /\b(?:INC|INCORPORATED|CORP|CORPORATION|CO|COMPANY|LTD|LIMITED|PLC|NV|SA|AG|LP|LLC|THE|DEL|NEW|COM)\b/g,
      ' ',
    )
    .replace(/ +/g, ' ')
    .trim()
