import { SECOND } from '../../model/time.ts'
import { exchangeConnector } from '../exchange-connector.ts'
import { BINANCE_URL, binanceKlinesUrl } from './requests.ts'

export const binanceConnector = exchangeConnector({
  kind: 'binance',
  venue: 'Binance',
  url: BINANCE_URL,
  gapMs: 0.3 * SECOND,
  pageSize: 1_000,
  urlOf: (base, pair, interval, from) => binanceKlinesUrl(base, pair.base + pair.quote, interval, from),
})
