import type { CatalogueAsset } from './asset.ts'

/** Assets by key and symbol. A symbol may be listed on several exchanges. */
export interface SymbolIndex {
  byKey: ReadonlyMap<string, CatalogueAsset>
  bySymbol: ReadonlyMap<string, readonly CatalogueAsset[]>
  byFormerSymbol: ReadonlyMap<string, readonly CatalogueAsset[]>
}

export function indexSymbols(assets: readonly CatalogueAsset[]): SymbolIndex {
  const byKey = new Map<string, CatalogueAsset>()
  const bySymbol = new Map<string, CatalogueAsset[]>()
  const byFormerSymbol = new Map<string, CatalogueAsset[]>()
  for (const asset of assets) {
    byKey.set(normalizeSymbol(asset.key), asset)
    push(bySymbol, normalizeSymbol(asset.symbol), asset)
    for (const former of asset.formerSymbols) push(byFormerSymbol, normalizeSymbol(former.symbol), asset)
  }
  return { byKey, bySymbol, byFormerSymbol }
}

/** Turns BRK.B, BRK-B and BRK/B into BRKB. */
export function normalizeSymbol(symbol: string): string {
  return symbol.toUpperCase().replace(/[^A-Z\d]/g, '')
}

/** Returns the assets a ticker may mean. `venue` is an exchange ("NASDAQ", "LON") or a suffix ("L", "DE"). */
export function findListings(index: SymbolIndex, ticker: string, venue: string | null): Listings {
  const symbol = normalizeSymbol(ticker)
  const listed = index.bySymbol.get(symbol) ?? []
  if (venue === null) {
    const active = listed.filter((asset) => asset.status === 'active')
    if (active.length > 0) return { assets: active, isElsewhere: false }
    return { assets: listed.length > 0 ? listed : (index.byFormerSymbol.get(symbol) ?? []), isElsewhere: false }
  }
  const country = COUNTRY_OF_VENUE.get(venue.toLowerCase())
  if (country === undefined) return { assets: [], isElsewhere: false }
  const local = listed.filter((asset) => (asset.countryCode ?? 'US') === country)
  if (local.length > 0) return { assets: local, isElsewhere: false }
  const former = (index.byFormerSymbol.get(symbol) ?? []).filter((asset) => asset.countryCode === country)
  if (former.length > 0) return { assets: former, isElsewhere: false }
  return { assets: listed, isElsewhere: true }
}

interface Listings {
  assets: readonly CatalogueAsset[]
  /** The text names another venue than the catalogue: a second listing (NYSE: SHEL) or another company (NYSE: AI). */
  isElsewhere: boolean
}

export const isVenue = (lowerCase: string) => COUNTRY_OF_VENUE.has(lowerCase)

/** Names of exchanges in headlines, and suffixes of Reuters and Yahoo, by country. */
const VENUES: Record<string, string> = {
  US: 'NASDAQ NYSE NYSEARCA NYSEAMERICAN NYSEMKT AMEX BATS CBOE OTC OTCMKTS OTCQX OTCQB OTCPK O OQ N K A P PK',
  GB: 'LON LSE L',
  CA: 'TSX TSXV TSE CVE CNSX NEO TO V',
  DE: 'ETR FRA XETRA XETR FWB DE F',
  FR: 'EPA PAR PA',
  NL: 'AMS AS',
  IT: 'BIT MIL MI',
  ES: 'BME MC',
  CH: 'SWX VTX SIX SW S VX',
  JP: 'TYO T JP',
  CN: 'HKG HKEX SEHK HK SHA SSE SS SHE SZSE SZ',
  TW: 'TPE TWSE TW',
  KR: 'KRX KOSPI KS KQ',
  BR: 'BVMF BOVESPA SA',
  MX: 'BMV MX',
  IN: 'NSE BSE BOM NS BO',
  AU: 'ASX AX',
  DK: 'CPH CO',
  SE: 'STO ST',
  NO: 'OSL OL',
  FI: 'HEL HE',
  PT: 'ELI LS',
  BE: 'EBR BR',
  SG: 'SGX SI',
  ZA: 'JSE J',
}
const COUNTRY_OF_VENUE: ReadonlyMap<string, string> = new Map(
  Object.entries(VENUES).flatMap(([country, venues]) =>
    venues
      .toLowerCase()
      .split(' ')
      .map((venue): [string, string] => [venue, country]),
  ),
)

function push(map: Map<string, CatalogueAsset[]>, key: string, asset: CatalogueAsset): void {
  if (key === '') return
  const list = map.get(key)
  if (list === undefined) map.set(key, [asset])
  else list.push(asset)
}
