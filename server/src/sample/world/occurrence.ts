import { topicSlug, withoutAncestors } from '../../catalogue/built-in/topics.ts'
import type { NewAsset } from '../../model/assets.ts'
import type { EventScope, SampleEvent } from './events/event.ts'
import { REGIONS, type Region } from './languages/language.ts'
import { getAsset, peersOf, popular, popularOfSector, revenueOf } from './popularity.ts'
import { type Random, type WeightedTable, weightedTable } from './random.ts'
import { analysts, brands, brokers, cities, groups, productNouns, roles, startups } from './vocabulary.ts'

/** Something that happened once. Every entry that reports it states the same facts, in its own language and words. */
export interface Occurrence extends Facts {
  /** Index within one run of the generator. */
  number: number
  event: SampleEvent
  assets: readonly NewAsset[]
  topicSlugs: readonly string[]
  region: Region
  /** The last quarter that had ended by then. */
  quarter: number
  quarterYear: number
  year: number
}

interface Facts {
  broker: string
  analyst: string
  role: string
  startup: string
  brand: string
  product: string
  city: string
  group: string
  pct: number
  pctLow: number
  pctHigh: number
  moneyLow: number
  moneyHigh: number
  /** Per quarter, in billions. */
  revenueLow: number
  revenueHigh: number
  epsLow: number
  epsHigh: number
  count: number
  months: number
  basisPoints: number
  rateLow: number
  rateHigh: number
}

/** A newsroom's own region and assets, which it covers more often than others. */
export interface Home {
  region: Region
  equities: WeightedTable<NewAsset> | null
  indices: WeightedTable<NewAsset> | null
}

export function createOccurrence(
  random: Random,
  number: number,
  event: SampleEvent,
  home: Home,
  at: number,
): Occurrence {
  const assets = pickAssets(random, event, home)
  const region = random.chance(0.4) ? home.region : random.weighted(regionTable)
  const group = random.pick(groups)
  const date = new Date(at)
  const quarterNow = Math.floor(date.getUTCMonth() / 3)
  const year = date.getUTCFullYear()
  return {
    number,
    event,
    assets,
    topicSlugs: pickTopics(random, event, assets, region, group.topic),
    region,
    quarter: quarterNow === 0 ? 4 : quarterNow,
    quarterYear: quarterNow === 0 ? year - 1 : year,
    year,
    ...pickFacts(random, event.about, assets[0], group.name),
  }
}

const regionTable = weightedTable(REGIONS, (_, index) => [5, 3, 1.5, 1.5, 1.5][index] ?? 1)

const bankTopics: Record<Region, string> = {
  US: 'federal-reserve',
  EU: 'european-central-bank',
  GB: 'bank-of-england',
  JP: 'bank-of-japan',
  CN: 'peoples-bank-of-china',
}

const HOME_SHARE = 0.35
const ONE_PEER_SHARE = 0.2
const TWO_PEERS_SHARE = 0.06

function pickAssets(random: Random, event: SampleEvent, home: Home): NewAsset[] {
  if (event.about === 'economy' || event.about === 'sector') return []
  if (event.assets !== undefined) return event.assets.map(getAsset)
  const main = pickMain(random, event.about, event.sector, home)
  if (event.about === 'deal') return [main, pickPeer(random, main)]
  const luck = random.next()
  if (luck > ONE_PEER_SHARE + TWO_PEERS_SHARE) return [main]
  const peer = pickPeer(random, main)
  if (luck > TWO_PEERS_SHARE) return [main, peer]
  const second = pickPeer(random, main)
  return second === peer ? [main, peer] : [main, peer, second]
}

function pickMain(
  random: Random,
  about: Exclude<EventScope, 'economy' | 'sector'>,
  sector: string | undefined,
  home: Home,
): NewAsset {
  const sectorTable = sector === undefined ? undefined : popularOfSector.get(sector)
  if (sectorTable !== undefined) return random.weighted(sectorTable)
  const atHome = random.chance(HOME_SHARE)
  switch (about) {
    case 'company':
    case 'deal':
      return random.weighted(atHome && home.equities !== null ? home.equities : popular.equity)
    case 'index':
      return random.weighted(atHome && home.indices !== null ? home.indices : popular.index)
    case 'coin':
      return random.weighted(popular.crypto)
    case 'fund':
      return random.weighted(popular.etf)
    case 'pair':
      return random.weighted(popular.currency)
    case 'commodity':
      return random.weighted(popular.commodity)
  }
}

function pickPeer(random: Random, asset: NewAsset): NewAsset {
  return random.pick(peersOf.get(asset) ?? [])
}

function pickTopics(
  random: Random,
  event: SampleEvent,
  assets: readonly NewAsset[],
  region: Region,
  group: string,
): string[] {
  const topics = [...event.topics]
  const main = assets[0]
  if (event.about === 'sector') topics.unshift(group)
  else if (main === undefined) {
    if (event.topics.includes('central-banks')) topics.unshift(bankTopics[region])
  } else if (topics.length < 3 && random.chance(0.7)) {
    const own = topicOfAsset(main)
    if (!topics.includes(own)) topics.push(own)
  }
  return withoutAncestors(topics)
}

const topicsByKey: Record<string, string> = {
  BTC: 'bitcoin',
  ETH: 'ether',
  USDT: 'stablecoins',
  USDC: 'stablecoins',
  EURUSD: 'euro',
  EURGBP: 'euro',
  EURCHF: 'euro',
  USDJPY: 'yen',
  EURJPY: 'yen',
  USDMXN: 'emerging-currencies',
  USDBRL: 'emerging-currencies',
  USDINR: 'emerging-currencies',
  USDTRY: 'emerging-currencies',
  USDZAR: 'emerging-currencies',
  XAU: 'gold',
  XAG: 'silver',
  XPT: 'platinum-group',
  XPD: 'platinum-group',
  COPPER: 'industrial-metals',
  ALUMINUM: 'industrial-metals',
  BRENT: 'crude-oil',
  WTI: 'crude-oil',
  NATGAS: 'natural-gas',
  WHEAT: 'grains',
  CORN: 'grains',
  SOYBEANS: 'grains',
}

const topicsByIndexCountry: Record<string, string> = {
  US: 'us-indices',
  CA: 'us-indices',
  BR: 'indices',
  JP: 'asian-indices',
  HK: 'asian-indices',
  CN: 'asian-indices',
  KR: 'asian-indices',
  IN: 'asian-indices',
  AU: 'asian-indices',
}

export function topicOfAsset(asset: NewAsset): string {
  if (asset.type === 'equity') return topicSlugs.get(asset.industry ?? '') ?? 'equities'
  if (asset.type === 'index') return topicsByIndexCountry[asset.countryCode ?? ''] ?? 'european-indices'
  const fallback: Record<string, string> = { crypto: 'altcoins', currency: 'dollar', commodity: 'soft-commodities' }
  return topicsByKey[asset.key] ?? fallback[asset.type] ?? 'funds'
}

const topicSlugs = new Map(
  popular.equity.items.map(({ industry }) => [industry ?? '', topicSlug(industry ?? 'equities')] as const),
)

/** Range of a price move, in percent. */
const moves: Record<EventScope, readonly [number, number]> = {
  company: [1.2, 11],
  deal: [1.2, 9],
  coin: [2, 14],
  fund: [0.6, 5],
  index: [0.3, 2.8],
  pair: [0.2, 1.6],
  commodity: [0.6, 5.5],
  economy: [0.8, 5.5],
  sector: [1.5, 12],
}

function pickFacts(random: Random, about: EventScope, main: NewAsset | undefined, group: string): Facts {
  const [least, most] = moves[about]
  const pctLow = random.between(least, most)
  const moneyLow = 0.2 + 40 * random.next() ** 4
  const revenueLow = (main === undefined ? 5 : revenueOf(main)) * random.between(0.9, 1.05)
  const epsLow = random.between(0.3, 6)
  const brand = random.pick(brands)
  const noun = random.pick(productNouns[main?.industry ?? ''] ?? productNouns[main?.sector ?? ''] ?? ['service'])
  const basisPoints = random.chance(0.75) ? 25 : 50
  const rateLow = random.int(1, 20) / 4
  return {
    broker: random.pick(brokers),
    analyst: random.pick(analysts),
    role: random.pick(roles),
    startup: random.pick(startups),
    brand,
    product: `the ${brand} ${noun}`,
    city: random.pick(cities),
    group,
    pct: random.between(least, most),
    pctLow,
    pctHigh: pctLow + random.between(0.2, least + 0.8),
    moneyLow,
    moneyHigh: moneyLow * random.between(1.1, 1.6) + 0.05,
    revenueLow,
    revenueHigh: revenueLow * random.between(1.02, 1.12),
    epsLow,
    epsHigh: epsLow + random.between(0.02, 0.4),
    count: random.int(4, 480) * 50,
    months: random.int(2, 18),
    basisPoints,
    rateLow,
    rateHigh: rateLow + basisPoints / 100,
  }
}
