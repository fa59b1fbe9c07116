import { version } from '../../version.ts'
import type { FetchRequest } from '../fetch/fetcher.ts'
import { requestUrl } from '../request-url.ts'

const EDGAR_URL = 'https://www.sec.gov'
const EDGAR_DATA_URL = 'https://data.sec.gov'

/** A quarterly index has about 50 MB, the facts of a large company 20 MB. */
const MAX_BYTES = 120_000_000

/** Where EDGAR is and whom it may contact. */
export interface EdgarOptions {
  contact: string
  url?: string
  dataUrl?: string
}

/** The requests to EDGAR. It refuses those without a contact in User-Agent. */
export function edgarRequests({ contact, url = EDGAR_URL, dataUrl = EDGAR_DATA_URL }: EdgarOptions) {
  const request = (address: string): FetchRequest => ({
    url: address,
    headers: { 'user-agent': `Mintick/${version} ${contact}`, 'accept-encoding': 'gzip, deflate' },
    maxBytes: MAX_BYTES,
  })
  return {
    tickers: () => request(`${url}/files/company_tickers_exchange.json`),
    /** Pages of 100 entries, newest first. */
    latest: (start: number) =>
      request(
        requestUrl(url, '/cgi-bin/browse-edgar', {
          ...{ action: 'getcurrent', type: '', company: '', dateb: '', owner: 'include' },
          ...{ start, count: 100, output: 'atom' },
        }),
      ),
    dailyIndex: (day: string) => ({
      ...request(`${url}/Archives/edgar/daily-index/${quarterPath(day)}/form.${day.replaceAll('-', '')}.idx`),
      mayBeAbsent: true,
    }),
    fullIndex: (day: string) => request(`${url}/Archives/edgar/full-index/${quarterPath(day)}/form.idx`),
    /** The full submission of a filing; any of its parties will do. */
    filing: (cik: string, accessionNumber: string) =>
      request(`${url}/Archives/edgar/data/${Number(cik)}/${accessionNumber}.txt`),
    submissions: (cik: string) => request(`${dataUrl}/submissions/CIK${cik}.json`),
    submissionsPage: (name: string) => request(`${dataUrl}/submissions/${name}`),
    companyFacts: (cik: string) => request(`${dataUrl}/api/xbrl/companyfacts/CIK${cik}.json`),
  }
}

export type EdgarRequests = ReturnType<typeof edgarRequests>

/** Returns the folder of the quarter of a day, such as 2026/QTR1. */
const quarterPath = (day: string) => `${day.slice(0, 4)}/QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}`
