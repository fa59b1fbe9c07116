import type { Clock } from '../../clock.ts'
import { sec } from '../../import/sec.ts'
import type { EntryIntake } from '../../ingest/entries/entry-intake.ts'
import type { NewAsset } from '../../model/assets.ts'
import { idOf } from '../../model/ids.ts'
import type { SecDataset } from '../../model/sec/datasets.ts'
import { NO_FACTS } from '../../model/sec/financial-filings.ts'
import type { Brought } from '../../store/sources/sources.ts'
import type { Store } from '../../store/store.ts'
import type { Items } from '../connector.ts'
import { countReasons } from '../count-reasons.ts'
import { Amendments, type FilingRow } from './amendments.ts'
import { companyAssets } from './companies.ts'
import type { OwnershipRow } from './forms/ownership.ts'
import { PositionChanges } from './position-changes.ts'

/** Filings are known by their accession numbers, whichever source of EDGAR brought them. */
export const FILINGS_KEY = 'edgar'

type ItemsOf<Kind extends Items['kind']> = Extract<Items, { kind: Kind }>

/** Companies in a write, so that the catalogue is not locked for long. */
const ASSETS_AT_ONCE = 500

/** Stores what EDGAR brings: companies as assets, filings as SEC records. */
export class EdgarSink {
  readonly #store: Store
  readonly #intake: EntryIntake
  readonly #clock: Clock
  readonly #amendments: Amendments
  readonly #changes: PositionChanges
  #assets: KnownAssets | undefined

  constructor(parts: { store: Store; intake: EntryIntake; clock: Clock }) {
    this.#store = parts.store
    this.#intake = parts.intake
    this.#clock = parts.clock
    this.#amendments = new Amendments(parts.store.sec)
    this.#changes = new PositionChanges(parts.store.sec)
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
    const completed: { dataset: SecDataset; rows: FilingRow[] }[] = []
    for (const { dataset, rows } of filings) {
      const own = (rows as FilingRow[]).map((row, index) => complete(dataset, row, index, assets))
      const linked = await this.#amendments.link(dataset, own)
      completed.push({ dataset, rows: isTable(dataset) ? await this.#changes.compare(linked) : linked })
    }
    const records = completed.flatMap(({ dataset, rows }) =>
      rows.map(({ id, ...row }) => ({ dataset, id: id ?? undefined, ...row })),
    )
    const brought = await this.#write(records, reasons)
    // Filings that arrived earlier, or meanwhile from another source, may refer to these.
    for (const { dataset, rows } of completed) {
      const [row] = rows
      if (row === undefined) continue
      const now = this.#clock.now()
      brought.changed += await this.#amendments.relink(dataset, row, now)
      if (isTable(dataset)) brought.changed += await this.#changes.compareLater(row, now)
    }
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

/** Adds what only the store knows: the asset. */
function complete(dataset: SecDataset, row: FilingRow, index: number, { byCik, byName }: KnownAssets): FilingRow {
  const asset = row.cik === null ? byName.get(plainName(row.companyName ?? '')) : byCik.get(row.cik)
  return {
    ...row,
    // A table may have several lines of the same security.
    ...(isTable(dataset) && {
      id: idOf(`mintick:sec:${JSON.stringify([dataset, row.accessionNumber, index])}`),
    }),
    // Of a company that is not known, the filing is under its filer.
    cik: row.cik ?? asset?.cik ?? (row.managerCik as string | null),
    ticker: row.ticker ?? asset?.symbol ?? null,
    assetKey: asset?.key ?? null,
    ...(isTrade(row) && {
      ownershipType: row.ownershipType ?? 'direct',
      // Filers refer to notes that they left out.
      footnotes: row.footnotes.filter(({ text }) => text !== ''),
    }),
  }
}

const isTable = (dataset: SecDataset) => dataset === 'institutional-holdings'
const isTrade = (row: object): row is OwnershipRow => 'footnotes' in row

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
