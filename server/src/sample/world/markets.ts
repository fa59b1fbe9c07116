import type { NewAsset } from '../../model/assets.ts'
import { stableId } from '../../model/ids.ts'
import type { Market, NewMarket } from '../../model/markets.ts'
import { getAsset } from './popularity.ts'
import { priceModelOf } from './prices/price-model.ts'

const keys = `
  AAPL NVDA TSLA MSFT AMZN META GOOGL AMD NFLX AVGO PLTR COIN INTC WMT COST JPM LLY BA DIS XOM V PFE KO F
  SAP.DE MC.PA ASML.AS SHEL.L 7203.T 0700.HK
  SPY QQQ IBIT GLD TLT IWM
  SPX NDX DAX N225
  BTC ETH SOL XRP DOGE BNB ADA LINK
  EURUSD USDJPY GBPUSD USDCHF
  XAU BRENT WTI NATGAS
`

const timezones: Record<string, string> = {
  US: 'America/New_York',
  DE: 'Europe/Berlin',
  FR: 'Europe/Paris',
  NL: 'Europe/Amsterdam',
  GB: 'Europe/London',
  JP: 'Asia/Tokyo',
  CN: 'Asia/Hong_Kong', // where the sample's Chinese shares are listed
}

/** All trading is invented, and so are the venues. */
export const sampleMarkets: NewMarket[] = keys
  .trim()
  .split(/\s+/)
  .map((key) => createMarket(getAsset(key)))

type Place = Pick<NewMarket, 'venue' | 'timezone'>

function createMarket(asset: NewAsset): NewMarket {
  const type = typeOf(asset)
  const symbol = type === 'crypto' ? `${asset.key}-USD` : asset.key
  const { volume } = priceModelOf(asset.key)
  return {
    id: stableId('market', symbol),
    symbol,
    name: type === 'crypto' ? `${asset.name} / US Dollar` : asset.name,
    assetKey: asset.key,
    type,
    ...placeOf(asset, type),
    baseCurrency: baseCurrencyOf(asset, type),
    quoteCurrency: asset.currency ?? 'USD',
    status: 'active',
    volumeDecimals: volume?.decimals ?? 0,
    quoteVolumeDecimals: volume?.quoteDecimals ?? 0,
  }
}

function typeOf({ key, type }: NewAsset): Market['type'] {
  switch (type) {
    case 'equity':
      return 'stock'
    case 'currency':
      return 'fx'
    case 'other':
      throw new Error(`No kind of market trades ${key}`)
    default:
      return type
  }
}

function baseCurrencyOf({ key }: NewAsset, type: Market['type']): string | null {
  if (type === 'crypto') return key
  return type === 'fx' ? key.slice(0, 3) : null
}

function placeOf(asset: NewAsset, type: Market['type']): Place {
  const timezone = timezones[asset.countryCode ?? ''] ?? 'UTC'
  switch (type) {
    case 'crypto':
      return { venue: 'Sample Coin Exchange', timezone }
    case 'fx':
      return { venue: 'Sample Currency Desk', timezone }
    case 'commodity':
      return { venue: 'Sample Commodity Exchange', timezone }
    case 'index':
      return { venue: 'Sample Index Service', timezone }
    default:
      return { venue: `Sample Exchange ${exchangeRegion(timezone)}`, timezone }
  }
}

function exchangeRegion(timezone: string): string {
  if (timezone.startsWith('Asia/')) return 'Asia'
  return timezone.startsWith('Europe/') ? 'Europe' : 'US'
}
