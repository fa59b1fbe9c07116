import { SECOND } from '../../model/time.ts'
import { requestUrl } from '../request-url.ts'
import { venueConnector } from '../venue-connector.ts'
import { CLOB_URL, GAMMA_URL, polymarketEventsUrl, polymarketHistoryUrl } from './requests.ts'

export const polymarketConnector = venueConnector({
  kind: 'polymarket',
  url: GAMMA_URL,
  historyUrl: CLOB_URL,
  gapMs: 0.2 * SECOND,
  pageUrl: (base, cursor) => polymarketEventsUrl(base, false, cursor),
  marketUrl: (base, { venueMarketId }) => requestUrl(base, `/markets/${encodeURIComponent(venueMarketId)}`, {}),
  // The ids of outcomes are tokens. Of two outcomes, one history gives both.
  historyUrls: (base, { outcomes }, from, to) =>
    (outcomes.length === 2 ? outcomes.slice(0, 1) : outcomes).map(({ id }) => ({
      url: polymarketHistoryUrl(base, id, from, to),
      outcomeId: id,
    })),
})
