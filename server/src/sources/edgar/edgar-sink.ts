import type { Clock } from '../../clock.ts'
import { sec } from '../../import/sec.ts'
import type { EntryIntake } from '../../ingest/entries/entry-intake.ts'
import type { NewAsset } from '../../model/assets.ts'
import { idOf } from '../../model/ids.ts'
import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
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
const LATEST_RECORDS = 200

/** Stores what EDGAR brings: companies as assets, filings as SEC records. */
export class EdgarSink {
  readonly #store: Store
  readonly #intake: EntryIntake
  readonly #clock: Clock
  #assets: { version: string; byCik: Map<string, NewAsset>; byName: Map<string, NewAsset | null> } | undefined

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
    const brought: Brought = { added: 0, changed: 0, rejections: countReasons(reasons), lagMs: null }
    for (const { dataset, rows } of filings) {
      const amended = await this.#amended(dataset, rows as Row[])
      const completed: object[] = []
      for (const [index, row] of (rows as Row[]).entries()) {
        completed.push(await this.#complete(dataset, row, index, amended))
      }
      await this.#write(completed, brought)
    }
    await this.#remember(accessionNumbers)
    const times = filings.flatMap(({ rows }) => rows.slice(0, 1).flatMap(({ filedAt }) => filedAt ?? []))
    const [latest] = times.sort().reverse()
    return { ...brought, lagMs: latest === undefined ? null : this.#clock.now() - Date.parse(latest) }
  }

  async takeReports({ reports, figures }: ItemsOf<'reports'>): Promise<Brought> {
    const brought: Brought = { added: 0, changed: 0, rejections: {}, lagMs: null }
    const byNumber = new Map(figures.map((report) => [report.accessionNumber, report]))
    const rows: object[] = []
    for (const report of reports) {
      const { accessionNumber, formType, cik, companyName, filedAt, filingDate } = report
      const known = byNumber.get(accessionNumber)
      const { byCik } = await this.#knownAssets()
      const asset = byCik.get(cik)
      rows.push({
        dataset: 'financial-filings',
        accessionNumber,
        formType,
        // The list of a company has the time, an index only the day.
        filedAt: filedAt ?? filingDate,
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
      })
    }
    await this.#write(rows, brought)
    await this.#remember(reports.map(({ accessionNumber }) => accessionNumber))
    return brought
  }

  async #write(rows: readonly object[], brought: Brought): Promise<void> {
    const parts = { store: this.#store, intake: this.#intake, now: this.#clock.now() }
    const { added, changed, refused } = await sec.write(rows, { update: true }, parts)
    brought.added += added
    brought.changed += changed
    brought.rejections = countReasons([
      ...Object.entries(brought.rejections).flatMap(([reason, count]) => Array<string>(count).fill(reason)),
      ...refused.map(({ reason }) => reason),
    ])
  }

  #remember(accessionNumbers: readonly string[]): Promise<void> {
    return this.#store.sources.rememberItems(
      accessionNumbers.map((number) => ({ sourceKey: FILINGS_KEY, guid: number, entryId: number })),
    )
  }

  /** Adds what only the store knows: the asset, and the record that an amendment replaces. */
  async #complete(dataset: SecDataset, row: Row, index: number, amended: readonly SecRecord[]): Promise<object> {
    const { byCik, byName } = await this.#knownAssets()
    const asset = row.cik === null ? byName.get(plainName(row.companyName ?? '')) : byCik.get(row.cik)
    const is13F = dataset === 'institutional-holdings'
    const supersedesId = amended.find((record) => isSameLine(record as Row & SecRecord, row))?.id ?? null
    const { id, ...given } = row
    return {
      ...given,
      dataset,
      // A table may have several lines of the same security.
      ...(is13F && { id: idOf(`mintick:sec:${JSON.stringify([dataset, row.accessionNumber, index])}`) }),
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

  /** Returns the records of the filing that an amendment replaces; none if it adds to it or it is not stored. */
  async #amended(dataset: SecDataset, rows: readonly Row[]): Promise<SecRecord[]> {
    const [row] = rows
    const { amendment } = row ?? {}
    if (row === undefined || amendment?.effect !== 'replaces') return []
    const { sec: records } = this.#store
    const page = async (filters: object) => {
      const request = { filters: { includeSuperseded: true, ...filters }, sort: 'filedAt:desc', limit: LATEST_RECORDS }
      return (await records.page(dataset, { ...request, from: undefined } as never)).data.parse()
    }
    if (amendment.accessionNumber !== null) return page({ accessionNumber: [amendment.accessionNumber] })
    const filer = dataset === 'institutional-holdings' ? { managerCik: [row.managerCik] } : { cik: [row.cik] }
    const owner = dataset === 'insider-trades' ? { ownerCik: [row.ownerCik] } : {}
    const earlier = (await page({ ...filer, ...owner })).filter(
      ({ formType, periodOfReport, filedAt, accessionNumber }) =>
        baseForm(formType) === baseForm(row.formType ?? '') &&
        periodOfReport === row.periodOfReport &&
        accessionNumber !== row.accessionNumber &&
        filedAt < (row.filedAt ?? ''),
    )
    const last = earlier[0]?.accessionNumber
    return earlier.filter(({ accessionNumber }) => accessionNumber === last)
  }

  async #knownAssets() {
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

const isTrade = (row: FilingFields): row is OwnershipRow => 'footnotes' in row

/** Fields that tell the lines of a filing apart. A dataset with one record per filing has none of them. */
const LINE = ['lineNumber', 'cusip', 'putCall', 'shareType', 'investmentDiscretion', 'securityTitle'] as const

const isSameLine = (record: Row, row: Row) => LINE.every((field) => record[field] === row[field])

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

const NO_FACTS = {
  revenue: null,
  grossProfit: null,
  operatingIncome: null,
  netIncome: null,
  epsBasic: null,
  epsDiluted: null,
  totalAssets: null,
  totalLiabilities: null,
  stockholdersEquity: null,
  cashAndEquivalents: null,
  operatingCashFlow: null,
  capitalExpenditures: null,
  freeCashFlow: null,
  sharesOutstanding: null,
}
