import { htmlPage } from '../../http/html-page.ts'
import type { DataKind } from '../../model/data-kinds.ts'
import { html } from '../../model/html.ts'
import type { Status } from './status.ts'

const NAMES: Record<DataKind, string> = {
  news: 'News',
  candles: 'Prices',
  'prediction-markets': 'Prediction markets',
  filings: 'SEC filings',
  signals: 'Signals',
}
const PERIODS: Record<string, string> = { '24h': '24 hours', '7d': '7 days', '90d': '90 days' }

/** Returns the status as a page. */
export function statusPage({ uptime, data, time }: Status): string {
  return htmlPage(
    'Status',
    html`<p><strong>The service is running.</strong></p>
<h2>Uptime</h2>
<table>
<tbody>
${uptime.periods.map(
  ({ period, share }) =>
    html`<tr><th scope="row">Last ${PERIODS[period] ?? period}</th><td>${percent(share)}</td></tr>\n`,
)}</tbody>
</table>
${chart(uptime.days)}
<p class="quiet">${
      uptime.knownSince === null ? 'Nothing is recorded yet.' : `Recorded since ${minute(uptime.knownSince)}.`
    } Interruptions of less than a minute are not noticed.</p>
<h2>Data</h2>
<table>
<thead><tr><th scope="col">Kind</th><th scope="col">Newest</th><th scope="col">Delay</th></tr></thead>
<tbody>
${data.map(
  ({ kind, newestAt, lagSeconds, sources, failing }) =>
    html`<tr><th scope="row">${NAMES[kind]}${failing > 0 ? html`<br><span class="quiet">${failing} of ${sources} sources failing</span>` : ''}</th>
<td>${newestAt === null ? '–' : minute(newestAt)}</td><td>${duration(lagSeconds)}</td></tr>\n`,
)}</tbody>
</table>
<p class="quiet">The delay is the median time from publication to storage. All times are in UTC; now it is ${minute(time)}.</p>`,
  )
}

/** Draws a bar per day, as high as its uptime. */
function chart(days: Status['uptime']['days']) {
  const known = days.filter(({ share }) => share !== null)
  const whole = known.filter(({ share }) => share === 1).length
  return html`<svg viewBox="0 0 ${days.length * 4} 24" width="100%" height="32" preserveAspectRatio="none" role="img" aria-label="Uptime per day: ${whole} of ${known.length} recorded days without an interruption">
${days.map(({ day, share }, index) => {
  const height = share === null ? 2 : Math.max(2, share * 24)
  const fill = share === null ? 'var(--line)' : share === 1 ? 'var(--good)' : 'var(--bad)'
  return html`<rect x="${index * 4}" y="${24 - height}" width="3" height="${height}" fill="${fill}"><title>${day}: ${percent(share)}</title></rect>\n`
})}</svg>`
}

/** Formats a share, rounded down, so that only a whole one is 100 %. */
const percent = (share: number | null) =>
  share === null ? 'unknown' : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`

const minute = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)}`

function duration(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
