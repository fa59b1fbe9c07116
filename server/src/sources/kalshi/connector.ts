import { SECOND } from '../../model/time.ts'
import { requestUrl } from '../request-url.ts'
import { venueConnector } from '../venue-connector.ts'
import { KALSHI_URL, kalshiCandlesticksUrl, kalshiEventsUrl } from './requests.ts'

export const kalshiConnector = venueConnector({
  kind: 'kalshi',
  url: KALSHI_URL,
  gapMs: 0.2 * SECOND,
  pageUrl: (base, cursor) => kalshiEventsUrl(base, 'open', cursor),
  marketUrl: (base, { venueMarketId }) => requestUrl(base, `/markets/${encodeURIComponent(venueMarketId)}`, {}),
  historyUrls: (base, { venueMarketId }, from, to) => [
    { url: kalshiCandlesticksUrl(base, venueMarketId.replace(/-.*/, ''), venueMarketId, from, to), outcomeId: 'yes' },
  ],
})
