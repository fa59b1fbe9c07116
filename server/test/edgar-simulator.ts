import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A filing that the simulator offers. */
export interface SimulatedFiling {
  accessionNumber: string
  formType: string
  /** The form in lists, if it is another one there. */
  listedAs?: string
  /** ISO 8601 in UTC. */
  acceptedAt: string
  /** The CIKs of its parties, the issuer first. */
  ciks: readonly string[]
  /** The document in its submission. */
  document: string
}

const TITLES = '-'.repeat(80)
const FORM_WIDTH = 17
/** Entries on a page of the feed. */
const FEED_PAGE = 100
/** Filings on a page of the submissions of a company. */
const SUBMISSIONS_PAGE = 10

/** EDGAR on a local port: lists, the full submissions of filings, and refusals. */
export class EdgarSimulator {
  readonly requests: string[] = []
  readonly userAgents = new Set<string | undefined>()
  filings: SimulatedFiling[] = []
  /** Filings of the feed; all filings by default. */
  latest: () => readonly SimulatedFiling[] = () => this.filings
  readonly documents = new Map<string, string>()
  /** Returns the status to answer instead of a document. */
  refuse: (path: string) => number | undefined = () => undefined
  readonly #server: Server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://edgar')
    this.requests.push(pathname + (searchParams.has('start') ? `?start=${searchParams.get('start')}` : ''))
    this.userAgents.add(headers['user-agent'])
    const status = this.refuse(pathname)
    const body = status === undefined ? this.#answer(pathname, Number(searchParams.get('start') ?? 0)) : undefined
    if (typeof body === 'string') response.end(body)
    else response.writeHead(status ?? body ?? 404).end('<html>refused</html>')
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  /** Returns the requests since the last call. */
  takeRequests(): string[] {
    return this.requests.splice(0)
  }

  #answer(path: string, start: number): string | number | undefined {
    const document = this.documents.get(path)
    if (document !== undefined) return document
    if (path === '/cgi-bin/browse-edgar') return this.#feed(start) ?? 503
    const [, day] = /\/daily-index\/.*\/form\.(\d{8})\.idx$/.exec(path) ?? []
    if (day !== undefined) return this.#index((filing) => filingDay(filing).replaceAll('-', '') === day) ?? 403
    const [, quarter] = /\/full-index\/(\d{4}\/QTR\d)\/form\.idx$/.exec(path) ?? []
    if (quarter !== undefined) return this.#index((filing) => quarterOf(filing) === quarter)
    const [, cik, page] = /\/submissions\/CIK(\d{10})(?:-submissions-(\d{3}))?\.json$/.exec(path) ?? []
    if (cik !== undefined) return this.#submissions(cik, page === undefined ? undefined : Number(page))
    const [, accession] = /\/Archives\/edgar\/data\/\d+\/([\d-]+)\.txt$/.exec(path) ?? []
    const filing = this.filings.find(({ accessionNumber }) => accessionNumber === accession)
    return filing && submissionOf(filing)
  }

  /** Returns undefined past the end. */
  #feed(start: number): string | undefined {
    const entries = this.latest()
      .toReversed()
      .flatMap((filing) =>
        filing.ciks.map(
          (
            cik,
            index,
          ) => `<entry><title>${listedForm(filing)} - Party ${cik} (${cik}) (${index === 0 ? 'Issuer' : 'Reporting'})</title>
            <updated>${filing.acceptedAt.replace('.000Z', '+00:00')}</updated><category term="${listedForm(filing)}"/>
            <id>urn:tag:sec.gov,2008:accession-number=${filing.accessionNumber}</id></entry>`,
        ),
      )
    if (start > 0 && start >= entries.length) return undefined
    return `<feed xmlns="http://www.w3.org/2005/Atom">${entries.slice(start, start + FEED_PAGE).join('')}</feed>`
  }

  /** Returns the newest filings of a company with the names of the other pages, or one of these. */
  #submissions(cik: string, page: number | undefined): string | undefined {
    const own = this.filings.filter(({ ciks }) => ciks.includes(cik)).reverse()
    const pageOf = (number: number) => own.slice(number * SUBMISSIONS_PAGE, (number + 1) * SUBMISSIONS_PAGE)
    if (page !== undefined) return pageOf(page).length === 0 ? undefined : JSON.stringify(columnsOf(pageOf(page)))
    const older = Array.from({ length: Math.ceil(own.length / SUBMISSIONS_PAGE) - 1 }, (_, index) => ({
      name: `CIK${cik}-submissions-${String(index + 1).padStart(3, '0')}.json`,
    }))
    const filings = { recent: columnsOf(pageOf(0)), files: older }
    return JSON.stringify({ cik, name: `Party ${cik}`, tickers: [], exchanges: [], formerNames: [], filings })
  }

  #index(isWanted: (filing: SimulatedFiling) => boolean): string | undefined {
    const rows = this.filings
      .filter(isWanted)
      .flatMap((filing) =>
        filing.ciks.map(
          (cik) =>
            `${listedForm(filing).padEnd(FORM_WIDTH)}${`Party ${cik}`.padEnd(62)}${String(Number(cik)).padEnd(12)}${filingDay(filing)}  edgar/data/${Number(cik)}/${filing.accessionNumber}.txt`,
        ),
      )
    if (rows.length === 0) return undefined
    return `${'Form Type'.padEnd(FORM_WIDTH)}Company Name${' '.repeat(50)}CIK         Date Filed  File Name\n${TITLES}\n${rows.join('\n')}\n`
  }
}

/** All acceptance times of the tests are on the same day in New York and in UTC. */
const filingDay = ({ acceptedAt }: SimulatedFiling) => acceptedAt.slice(0, 10)

const quarterOf = ({ acceptedAt }: SimulatedFiling) =>
  `${acceptedAt.slice(0, 4)}/QTR${Math.ceil(Number(acceptedAt.slice(5, 7)) / 3)}`

const listedForm = ({ formType, listedAs = formType }: SimulatedFiling) => listedAs

/** Returns filings as lists of submissions have them. */
export const columnsOf = (filings: readonly SimulatedFiling[]) => ({
  accessionNumber: filings.map(({ accessionNumber }) => accessionNumber),
  filingDate: filings.map(filingDay),
  acceptanceDateTime: filings.map(({ acceptedAt }) => acceptedAt),
  form: filings.map(listedForm),
})

/** Returns the full submission of a filing. */
export function submissionOf({ accessionNumber, formType, acceptedAt, ciks, document }: SimulatedFiling): string {
  const eastern = new Date(Date.parse(acceptedAt) - 5 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14)
  const parties = ciks.map(
    (cik, index) => `<${index === 0 ? 'SUBJECT-COMPANY' : 'FILED-BY'}>\n<CONFORMED-NAME>Party ${cik}\n<CIK>${cik}\n`,
  )
  return `<SUBMISSION>
<ACCESSION-NUMBER>${accessionNumber}
<TYPE>${formType}
<ACCEPTANCE-DATETIME>${eastern}
<FILING-DATE>${acceptedAt.slice(0, 10).replaceAll('-', '')}
${parties.join('')}<DOCUMENT>
<TYPE>${formType}
<SEQUENCE>1
<FILENAME>doc.xml
<TEXT>
${document}
</TEXT>
</DOCUMENT>
`
}
