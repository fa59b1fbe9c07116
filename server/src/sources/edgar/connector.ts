import Type, { type Static } from 'typebox'
import { DAY, HOUR, isoDay, MINUTE } from '../../model/time.ts'
import type { Rejected } from '../answer.ts'
import type { Batch, Connector, Items, PollContext } from '../connector.ts'
import { FetchError } from '../fetch/fetch-error.ts'
import { companiesOfSubmissions, companiesOfTickers } from './companies.ts'
import { acceptanceTime } from './eastern-time.ts'
import { datasetOfForm, FORMS } from './filing-forms.ts'
import { type EdgarRequests, edgarRequests } from './requests.ts'
import type { ListedFiling } from './submissions.ts'

const dayOption = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

const Options = Type.Object(
  {
    contact: Type.String({
      pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
      description: 'Email address that EDGAR may write to; it refuses requests without one',
    }),
    tickers: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: 'Companies whose filings to read' }),
    ),
    ciks: Type.Optional(Type.Array(Type.String({ pattern: '^\\d{1,10}$' }), { description: 'The same by CIK' })),
    forms: Type.Optional(Type.Array(Type.Enum([...FORMS]), { description: 'Forms to read, with their amendments' })),
    from: dayOption('First day of filings to read; without it only new filings are read, of companies all'),
    to: dayOption('Last day'),
    url: Type.Optional(Type.String({ pattern: '^https?://', description: 'Address of EDGAR, if not the usual one' })),
    dataUrl: Type.Optional(
      Type.String({ pattern: '^https?://', description: 'Address of its API, if not the usual one' }),
    ),
  },
  { additionalProperties: false },
)
type Options = Static<typeof Options>

interface State {
  /** All filings up to this day are stored. */
  day: string | null
  /** Acceptance time of the newest filing of the feed that is stored. */
  acceptedAt: string | null
  /** When the list of companies was read. */
  companiesAt: number
  /** Filings of the backfill: stored so far, and in all. */
  progress: { stored: number; total: number } | null
  /** Listed filings whose documents EDGAR does not have. */
  missing: MissingFiling[]
}

const START: State = { day: null, acceptedAt: null, companiesAt: 0, progress: null, missing: [] }

type Context = PollContext<Options, State>
type Step = AsyncGenerator<Batch<State>, State>

/** Reads filings: new ones as they are accepted, or those of companies or of a time in the past. */
export const edgarConnector: Connector<typeof Options, State> = {
  kind: 'edgar',
  brings: 'filings',
  options: Options,
  hints: {
    contact: 'EDGAR refuses requests without an email address; set EDGAR_CONTACT, or add the source with --contact',
  },
  split: ({ tickers = [], ciks = [], ...options }) => {
    const companies = [...tickers.map((ticker) => ({ tickers: [ticker] })), ...ciks.map((cik) => ({ ciks: [cik] }))]
    return companies.length === 0 ? [options] : companies.map((company) => ({ ...options, ...company }))
  },
  keyOf: ({ tickers = [], ciks = [], forms = [], from, to }) =>
    ['edgar', ...tickers.map((ticker) => ticker.toUpperCase()), ...ciks.map(Number), ...forms, from, to]
      .filter((part) => part !== undefined)
      .join(':'),
  // EDGAR allows ten requests a second to all its hosts together; this is eight.
  politeness: { atOnce: 2, gapMs: 125, shared: 'edgar' },
  every: { first: MINUTE, least: MINUTE, most: 10 * MINUTE },

  async *poll(context) {
    const { tickers = [], ciks = [], from } = context.options
    const requests = edgarRequests(context.options)
    let current = yield* readMissing(context, requests, { ...START, ...context.state })
    const isOfCompany = tickers.length + ciks.length > 0
    if (isOfCompany) current = yield* readCompany(context, requests, current)
    else if (from !== undefined) current = yield* readQuarters(context, requests, current, from)
    if (isOfCompany || from !== undefined) {
      return { isChanged: false, leastMs: current.missing.length > 0 ? HOUR : DAY }
    }
    current = yield* readTickers(context, requests, current)
    const before = current.acceptedAt
    current = yield* closeGaps(context, requests, current)
    current = yield* readLatest(context, requests, current)
    return { isChanged: current.acceptedAt !== before }
  },
}

/** A filing that is known by name only. */
type NamedFiling = Pick<ListedFiling, 'accessionNumber' | 'formType'> & {
  cik: string | null
  filedAt?: string | null
  filingDate?: string | null
  companyName?: string | null
}

/** A filing without a document, with the times of the first and the last attempt to read it. */
type MissingFiling = NamedFiling & { missingSince: number; triedAt: number }

async function* readTickers(context: Context, requests: EdgarRequests, state: State): Step {
  if (context.now - state.companiesAt < DAY) return state
  const { body } = await context.fetch(requests.tickers())
  const { tickers, rejected } = await context.parse('edgar tickers', body)
  const next = { ...state, companiesAt: context.now }
  const reasons = rejected.map(({ reason }) => reason)
  yield { items: { kind: 'companies', companies: companiesOfTickers(tickers), isComplete: true, reasons }, state: next }
  return next
}

const MAX_PAGES = 60
/** The feed is not in strict order. */
const OVERLAP_MS = 10 * MINUTE

/** Reads the feed of the latest filings back to the newest one that is stored. */
async function* readLatest(context: Context, requests: EdgarRequests, state: State): Step {
  const until = state.acceptedAt === null ? null : Date.parse(state.acceptedAt) - OVERLAP_MS
  const found = new Map<string, NamedFiling & { filedAt: string | null }>()
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const filings = await latestPage(context, requests, page * 100)
    for (const { parties, ...filing } of filings) {
      // A filing belongs to its issuer, or else to the first of its parties.
      const party = parties.find(({ role }) => /issuer|subject/i.test(role ?? '')) ?? parties[0]
      found.set(filing.accessionNumber, {
        ...filing,
        formType: filing.formType ?? '',
        cik: party?.cik ?? null,
        companyName: party?.name ?? null,
      })
    }
    const oldest = filings.at(-1)?.filedAt ?? null
    if (oldest === null || (until !== null && Date.parse(oldest) < until)) break
    // The first run starts with the newest filings; what is older is left to a backfill.
    if (until === null) break
  }
  const all = [...found.values()].reverse()
  const stored = yield* readFilings(context, requests, all, state)
  const times = all.flatMap(({ filedAt }) => filedAt ?? [])
  const acceptedAt = times.reduce((last, time) => (last === null || time > last ? time : last), state.acceptedAt)
  const next = { ...stored, acceptedAt, day: state.day ?? dayBefore(isoDay(context.now)) }
  yield { items: { kind: 'nothing' }, state: next }
  return next
}

/** Past the end of the feed EDGAR answers 503. */
async function latestPage({ fetch, parse }: Context, requests: EdgarRequests, start: number) {
  try {
    return await parse('edgar latest', (await fetch(requests.latest(start))).body)
  } catch (error) {
    if (start > 0 && error instanceof FetchError && error.status === 503) return []
    throw error
  }
}

/** The index of a day is complete in the following night. */
const INDEX_AFTER_MS = 28 * HOUR

/** Reads the index of each day since the last one, for filings that the feed no longer lists. */
async function* closeGaps(context: Context, requests: EdgarRequests, state: State): Step {
  let current = state
  const last = isoDay(context.now - INDEX_AFTER_MS)
  while (current.day !== null && current.day < last) {
    const day = dayAfter(current.day)
    const index = await indexOfDay(context, requests, day)
    if (index === undefined) break
    current = { ...(yield* readFilings(context, requests, index.filings, current)), day }
    yield { items: unreadable(index.rejected), state: current }
  }
  return current
}

interface Index {
  filings: NamedFiling[]
  rejected: readonly Rejected[]
}

const NO_INDEX: Index = { filings: [], rejected: [] }

/** Reports the rows of a list of filings that cannot be read, once all others are stored. */
const unreadable = (rejected: readonly Rejected[]): Items => ({
  kind: 'filings',
  filings: [],
  accessionNumbers: [],
  reasons: rejected.map(({ reason }) => reason),
})

/** A working day that has no index after this time is a holiday. */
const INDEX_WITHIN_MS = 3 * DAY

/** Returns undefined if the index may still come. Weekends and holidays have none, which EDGAR answers with 403. */
async function indexOfDay(context: Context, requests: EdgarRequests, day: string): Promise<Index | undefined> {
  if ([0, 6].includes(new Date(day).getUTCDay())) return NO_INDEX
  try {
    const { body } = await context.fetch(requests.dailyIndex(day))
    return await context.parse('edgar index', body, { forms: wantedForms(context.options) })
  } catch (error) {
    if (!(error instanceof FetchError) || ![403, 404].includes(error.status ?? 0)) throw error
    // EDGAR also refuses readers that are too fast; then this fails as well, and the day is read again later.
    await context.fetch(requests.latest(0))
    return context.now < Date.parse(day) + INDEX_WITHIN_MS ? undefined : NO_INDEX
  }
}

/** Reads all filings of a company, oldest first, and its former names. */
async function* readCompany(context: Context, requests: EdgarRequests, state: State): Step {
  const { fetch, parse, options } = context
  const cik = await cikOf(context, requests)
  const recent = await parse('edgar submissions', (await fetch(requests.submissions(cik))).body)
  const { company } = recent
  if (company !== null) {
    const companies = companiesOfSubmissions(company)
    yield { items: { kind: 'companies', companies, isComplete: false, reasons: [] }, state }
  }
  const filings = [...recent.filings]
  const rejected = [...recent.rejected]
  const { from = '0000-00-00', to = '9999-99-99' } = options
  for (const page of recent.pages) {
    if ((page.to ?? to) < from || (page.from ?? from) > to) continue
    const older = await parse('edgar submissions', (await fetch(requests.submissionsPage(page.name))).body)
    filings.push(...older.filings)
    rejected.push(...older.rejected)
  }
  const named = filings
    .filter(({ filingDate }) => filingDate !== null && filingDate >= from && filingDate <= to)
    .map((filing) => ({ ...filing, cik, companyName: company?.name ?? null }))
  const current = yield* readFilings(context, requests, named.reverse(), state)
  yield { items: unreadable(rejected), state: current }
  return current
}

async function cikOf({ fetch, parse, options }: Context, requests: EdgarRequests): Promise<string> {
  const [cik] = options.ciks ?? []
  if (cik !== undefined) return cik.padStart(10, '0')
  const wanted = options.tickers?.[0]?.toUpperCase()
  const { tickers } = await parse('edgar tickers', (await fetch(requests.tickers())).body)
  const found = tickers.find(({ ticker }) => ticker === wanted)
  if (found === undefined) throw new Error(`EDGAR has no company with the ticker ${wanted}; use its CIK instead`)
  return found.cik
}

/** Reads the filings of a time from the index of each quarter. */
async function* readQuarters(context: Context, requests: EdgarRequests, state: State, from: string): Step {
  let current = state
  const to = [context.options.to ?? '9999-99-99', isoDay(context.now)].sort()[0] ?? from
  for (let day = from > (state.day ?? '') ? from : dayAfter(state.day ?? from); day <= to; day = nextQuarter(day)) {
    const { body } = await context.fetch(requests.fullIndex(day))
    const forms = wantedForms(context.options)
    const index = await context.parse('edgar index', body, { forms, from: day, to })
    current = yield* readFilings(context, requests, index.filings, current)
    const end = dayBefore(nextQuarter(day))
    current = { ...current, day: end < to ? end : to }
    yield { items: unreadable(index.rejected), state: current }
  }
  return current
}

/** Reads the filings that are not stored yet, and counts the progress. */
async function* readFilings(
  context: Context,
  requests: EdgarRequests,
  listed: readonly NamedFiling[],
  state: State,
): Step {
  const forms = wantedForms(context.options)
  const wanted = [
    ...new Map(
      listed
        .filter(({ formType }) => datasetOfForm(formType, forms) !== undefined)
        .map((filing) => [filing.accessionNumber, filing]),
    ).values(),
  ]
  const known = await context.knownItems(wanted.map(({ accessionNumber }) => accessionNumber))
  const missing = new Set(state.missing.map(({ accessionNumber }) => accessionNumber))
  const fresh = wanted.filter(({ accessionNumber }) => !known.has(accessionNumber) && !missing.has(accessionNumber))
  const reports = fresh.filter(({ formType }) => datasetOfForm(formType) === 'financial-filings')
  const others = fresh.filter((filing) => !reports.includes(filing))
  let current: State = { ...state, progress: { stored: known.size, total: wanted.length } }
  for (const filing of others) current = yield* readFiling(context, requests, filing, current)
  return yield* readReports(context, requests, reports, current)
}

/** Reads the figures of reports, all of a company at once. */
async function* readReports(
  context: Context,
  requests: EdgarRequests,
  reports: readonly NamedFiling[],
  state: State,
): Step {
  let current = state
  for (const [cik, ofCompany] of Map.groupBy(reports, (report) => report.cik)) {
    if (cik === null) continue
    const figures = await figuresOf(context, requests, cik)
    const times = await timesOf(context, requests, cik, ofCompany)
    const named = ofCompany.map((report) => ({ ...report, cik, filedAt: times.get(report.accessionNumber) ?? null }))
    current = advance(current, ofCompany.length)
    yield { items: { kind: 'reports', reports: named, figures }, state: current }
  }
  return current
}

const advance = (state: State, count: number): State => {
  const { stored, total } = state.progress ?? { stored: 0, total: 0 }
  return { ...state, progress: { stored: Math.min(stored + count, total), total } }
}

/** A document that is missing for longer is given up. */
const MISSING_FOR_MS = 7 * DAY
/** If more documents are missing, EDGAR has a problem, and the source fails. */
const MAX_MISSING = 500

/** Reads a filing. A document that is missing is read later, so that it does not hold the others up. */
async function* readFiling(context: Context, requests: EdgarRequests, filing: NamedFiling, state: State): Step {
  const { accessionNumber, cik } = filing
  if (cik === null) return state
  const earlier = state.missing.find((other) => other.accessionNumber === accessionNumber)
  const missing = state.missing.filter((other) => other !== earlier)
  const missingSince = earlier?.missingSince ?? context.now
  const isGivenUp = context.now - missingSince >= MISSING_FOR_MS
  // A filing that cannot be read must not keep the others from being read.
  const read = await context.fetch(requests.filing(cik, accessionNumber)).then(
    ({ body }) => context.parse('edgar filing', body).catch((error: Error) => error),
    (error: Error) => {
      const isMissing = error instanceof FetchError && error.status === 404 && missing.length < MAX_MISSING
      if (!isMissing) throw error
      return isGivenUp ? error : undefined
    },
  )
  if (read === undefined) {
    const next = { ...state, missing: [...missing, { ...filing, missingSince, triedAt: context.now }] }
    yield { items: { kind: 'nothing' }, state: next }
    return next
  }
  if (!(read instanceof Error) && read.dataset === 'financial-filings') {
    // The list names another form than the document.
    return yield* readReports(context, requests, [{ ...filing, formType: read.formType }], { ...state, missing })
  }
  const next = { ...advance(state, 1), missing }
  const filings = read instanceof Error ? [] : [read]
  const reasons = read instanceof Error ? [read.message] : read.reasons
  yield { items: { kind: 'filings', filings, accessionNumbers: [accessionNumber], reasons }, state: next }
  return next
}

/** Reads the filings whose documents were missing, each at twice the age of the last attempt. */
async function* readMissing(context: Context, requests: EdgarRequests, state: State): Step {
  if (state.missing.length === 0) return state
  const known = await context.knownItems(state.missing.map(({ accessionNumber }) => accessionNumber))
  const missing = state.missing.filter(({ accessionNumber }) => !known.has(accessionNumber))
  const due = missing.filter(({ missingSince, triedAt }) => {
    const age = context.now - missingSince
    return age >= Math.min(2 * (triedAt - missingSince), MISSING_FOR_MS)
  })
  let current: State = { ...state, missing }
  for (const { missingSince: _since, triedAt: _triedAt, ...filing } of due) {
    current = yield* readFiling(context, requests, filing, current)
  }
  return current
}

/** Returns the acceptance times of reports. An index has only days; the submissions of the company have the times. */
async function timesOf(
  { fetch, parse }: Context,
  requests: EdgarRequests,
  cik: string,
  reports: readonly NamedFiling[],
): Promise<Map<string, string | null>> {
  const times = new Map(reports.map(({ accessionNumber, filedAt }) => [accessionNumber, filedAt ?? null]))
  if (![...times.values()].includes(null)) return times
  const { filings } = await parse('edgar submissions', (await fetch(requests.submissions(cik))).body)
  for (const { accessionNumber, filedAt } of filings) times.set(accessionNumber, filedAt)
  for (const { accessionNumber, filingDate } of reports) {
    // Of older filings, the latest possible time: nothing must seem to be known before it was.
    const latest = acceptanceTime(`${filingDate}T22:00:00`)
    times.set(accessionNumber, times.get(accessionNumber) ?? latest)
  }
  return times
}

/** A company without XBRL has no facts. */
async function figuresOf({ fetch, parse }: Context, requests: EdgarRequests, cik: string) {
  try {
    return await parse('edgar financials', (await fetch(requests.companyFacts(cik))).body)
  } catch (error) {
    if (error instanceof FetchError && error.status === 404) return []
    throw error
  }
}

const wantedForms = ({ forms }: Options): readonly string[] => forms ?? FORMS

const dayAfter = (day: string) => isoDay(Date.parse(day) + DAY)
const dayBefore = (day: string) => isoDay(Date.parse(day) - DAY)

/** Returns the first day of the next quarter. */
function nextQuarter(day: string): string {
  const quarter = Math.floor((Number(day.slice(5, 7)) - 1) / 3)
  return isoDay(Date.UTC(Number(day.slice(0, 4)), quarter * 3 + 3, 1))
}
