import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A filing that the simulator offers. */
export interface SimulatedFiling {
  accessionNumber: string
  formType: string
  /** ISO 8601 in UTC. */
  acceptedAt: string
  /** The CIKs of its parties, the issuer first. */
  ciks: readonly string[]
  /** The document in its submission. */
  document: string
}

const TITLES = '-'.repeat(80)

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
    if (path === '/cgi-bin/browse-edgar') return start === 0 ? this.#feed() : 503
    const [, day] = /\/daily-index\/.*\/form\.(\d{8})\.idx$/.exec(path) ?? []
    if (day !== undefined) return this.#index((filing) => filingDay(filing).replaceAll('-', '') === day) ?? 403
    if (/\/full-index\/2026\/QTR1\/form\.idx$/.test(path)) return this.#index(() => true)
    const [, accession] = /\/Archives\/edgar\/data\/\d+\/([\d-]+)\.txt$/.exec(path) ?? []
    const filing = this.filings.find(({ accessionNumber }) => accessionNumber === accession)
    return filing === undefined ? this.documents.get(path) : submissionOf(filing)
  }

  #feed(): string {
    const entries = this.latest()
      .toReversed()
      .flatMap((filing) =>
        filing.ciks.map(
          (
            cik,
            index,
          ) => `<entry><title>${filing.formType} - Party ${cik} (${cik}) (${index === 0 ? 'Issuer' : 'Reporting'})</title>
            <updated>${filing.acceptedAt.replace('.000Z', '+00:00')}</updated><category term="${filing.formType}"/>
            <id>urn:tag:sec.gov,2008:accession-number=${filing.accessionNumber}</id></entry>`,
        ),
      )
    return `<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`
  }

  #index(isWanted: (filing: SimulatedFiling) => boolean): string | undefined {
    const rows = this.filings
      .filter(isWanted)
      .flatMap((filing) =>
        filing.ciks.map(
          (cik) =>
            `${filing.formType.padEnd(12)}${`Party ${cik}`.padEnd(62)}${String(Number(cik)).padEnd(12)}${filingDay(filing)}  edgar/data/${Number(cik)}/${filing.accessionNumber}.txt`,
        ),
      )
    if (rows.length === 0) return undefined
    return `Form Type   Company Name${' '.repeat(50)}CIK         Date Filed  File Name\n${TITLES}\n${rows.join('\n')}\n`
  }
}

/** All acceptance times of the tests are on the same day in New York and in UTC. */
const filingDay = ({ acceptedAt }: SimulatedFiling) => acceptedAt.slice(0, 10)

function submissionOf({ accessionNumber, formType, acceptedAt, ciks, document }: SimulatedFiling): string {
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
