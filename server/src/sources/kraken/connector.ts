import { SECOND } from '../../model/time.ts'
import { exchangeConnector } from '../exchange-connector.ts'
import { KRAKEN_URL, krakenOhlcUrl } from './requests.ts'

/** Kraken calls bitcoin XBT. */
const OWN_NAMES: Record<string, string> = { BTC: 'XBT', DOGE: 'XDG' }
const own = (currency: string) => OWN_NAMES[currency] ?? currency

export const krakenConnector = exchangeConnector({
  kind: 'kraken',
  venue: 'Kraken',
  url: KRAKEN_URL,
  gapMs: 1.2 * SECOND,
  pageSize: 720,
  kept: 720,
  // Kraken answers with the candles after `since`.
  urlOf: (base, pair, interval, from) => krakenOhlcUrl(base, own(pair.base) + own(pair.quote), interval, from - 1),
})
