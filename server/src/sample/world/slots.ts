import { shortName } from '../../catalogue/built-in/assets.ts'
import type { NewAsset } from '../../model/assets.ts'
import type { Language } from './languages/language.ts'
import type { Occurrence } from './occurrence.ts'

type Fill = (story: Occurrence, language: Language) => string

/** Writes a template for one story. */
export type Template = (story: Occurrence) => string

/** Templates are taken apart once, so that writing one is only joining strings. */
export function compileTemplate(text: string, language: Language): Template {
  const pieces = text.split(/\{(\w+)\}/)
  const first = pieces[0] ?? ''
  const tail: [Fill, string][] = []
  for (let i = 1; i < pieces.length; i += 2) tail.push([findFill(pieces[i] ?? '', text), pieces[i + 1] ?? ''])
  return (story) => {
    let result = first
    for (const [fill, literal] of tail) result += fill(story, language) + literal
    return language.contract === undefined ? result : language.contract(result)
  }
}

function findFill(slot: string, text: string): Fill {
  const plain = slot.charAt(0).toLowerCase() + slot.slice(1)
  const fill = slots[plain]
  if (fill === undefined) throw new Error(`Unknown slot {${slot}} in the template: ${text}`)
  if (plain === slot) return fill
  return (story, language) => {
    const value = fill(story, language)
    return value.charAt(0).toUpperCase() + value.slice(1)
  }
}

const slots: Record<string, Fill> = {
  name: (story, language) => nameOf(story.assets[0], language),
  full: (story) => story.assets[0]?.name ?? '',
  symbol: (story) => story.assets[0]?.key ?? '',
  industry: (story) => industryOf(story.assets[0]),
  peer: (story, language) => nameOf(story.assets[1], language),
  peer2: (story, language) => nameOf(story.assets[2], language),
  broker: (story) => story.broker,
  analyst: (story) => story.analyst,
  role: (story) => story.role,
  startup: (story) => story.startup,
  brand: (story) => story.brand,
  product: (story) => story.product,
  city: (story) => story.city,
  group: (story) => story.group,
  pct: (story, { numbers }) => numbers.percent(story.pct, 1),
  pctLow: (story, { numbers }) => numbers.percent(story.pctLow, 1),
  pctHigh: (story, { numbers }) => numbers.percent(story.pctHigh, 1),
  moneyLow: (story, language) => money(story, story.moneyLow, language),
  moneyHigh: (story, language) => money(story, story.moneyHigh, language),
  revenueLow: (story, language) => money(story, story.revenueLow, language),
  revenueHigh: (story, language) => money(story, story.revenueHigh, language),
  yearLow: (story, language) => money(story, story.revenueLow * 4, language),
  yearHigh: (story, language) => money(story, story.revenueHigh * 4, language),
  epsLow: (story, language) => perShare(story, story.epsLow, language),
  epsHigh: (story, language) => perShare(story, story.epsHigh, language),
  count: (story, { numbers }) => numbers.count(story.count),
  months: (story) => String(story.months),
  bp: (story) => String(story.basisPoints),
  rateLow: (story, { numbers }) => numbers.percent(story.rateLow, 2),
  rateHigh: (story, { numbers }) => numbers.percent(story.rateHigh, 2),
  quarter: (story, language) => language.quarter(story.quarter),
  quarterLabel: (story, language) => language.quarterLabel(story.quarter, story.quarterYear),
  year: (story) => String(story.year),
  bank: (story, language) => language.banks[story.region],
  place: (story, language) => language.places[story.region],
}

const shortNames = new Map<NewAsset, string>()

function nameOf(asset: NewAsset | undefined, language: Language): string {
  if (asset === undefined) return ''
  const local = language.assetNames[asset.key] ?? shortNames.get(asset)
  if (local !== undefined) return local
  const name = shortName(asset)
  shortNames.set(asset, name)
  return name
}

const industries = new Map<string, string>()

function industryOf(asset: NewAsset | undefined): string {
  const industry = asset?.industry ?? ''
  let lower = industries.get(industry)
  if (lower === undefined) {
    // 'IT services' keeps its capitals.
    lower = /^[A-Z]{2}/.test(industry) ? industry : industry.toLowerCase()
    industries.set(industry, lower)
  }
  return lower
}

/** Facts are drawn in dollars; this brings them to amounts that are usual in the currency. */
const scales: Record<string, number> = {
  JPY: 150,
  KRW: 1400,
  TWD: 32,
  HKD: 8,
  CNY: 7,
  INR: 85,
  MXN: 18,
  BRL: 5,
  DKK: 7,
  SEK: 10,
}

function money(story: Occurrence, billions: number, { numbers }: Language): string {
  const currency = currencyOf(story)
  return numbers.money(billions * (scales[currency] ?? 1), currency)
}

function perShare(story: Occurrence, value: number, { numbers }: Language): string {
  const currency = currencyOf(story)
  return numbers.perShare(value * (scales[currency] ?? 1), currency)
}

function currencyOf(story: Occurrence): string {
  const main = story.assets[0]
  return (main?.type === 'equity' ? main.currency : null) ?? 'USD'
}
