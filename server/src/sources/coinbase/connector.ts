import { SECOND } from '../../model/time.ts'
import { exchangeConnector } from '../exchange-connector.ts'
import { COINBASE_URL, coinbaseCandlesUrl } from './requests.ts'

export const coinbaseConnector = exchangeConnector({
  kind: 'coinbase',
  venue: 'Coinbase',
  url: COINBASE_URL,
  gapMs: 0.3 * SECOND,
  pageSize: 300,
  urlOf: (base, pair, interval, from) => coinbaseCandlesUrl(base, `${pair.base}-${pair.quote}`, interval, from),
})
