import { headlineName } from '../../catalogue/built-in/assets.ts'
import type { NewAsset } from '../../model/assets.ts'
import type { Language } from './languages/language.ts'
import type { Occurrence } from './occurrence.ts'

type Fill = (occurrence: Occurrence, language: Language) => string

/** Writes the template's text for one occurrence. */
export type Template = (occurrence: Occurrence) => string

/** Parses a template once, so that using it only joins strings. */
export function compileTemplate(text: string, language: Language): Template {
  const pieces = text.split(/\{(\w+)\}/)
  const first = pieces[0] ?? ''
  const tail: [Fill, string][] = []
  for (let i = 1; i < pieces.length; i += 2) tail.push([findFill(pieces[i] ?? '', text), pieces[i + 1] ?? ''])
  return (occurrence) => {
    let result = first
    for (const [fill, literal] of tail) result += fill(occurrence, language) + literal
    return language.contract === undefined ? result : language.contract(result)
  }
}

function findFill(slot: string, text: string): Fill {
  const plain = slot.charAt(0).toLowerCase() + slot.slice(1)
  const fill = slots[plain]
  if (fill === undefined) throw new Error(`Unknown slot {${slot}} in the template: ${text}`)
  if (plain === slot) return fill
  return (occurrence, language) => {
    const value = fill(occurrence, language)
    return value.charAt(0).toUpperCase() + value.slice(1)
  }
}

/** The slots that templates may use. */
const slots: Record<string, Fill> = {
  name: (occurrence, language) => nameOf(occurrence.assets[0], language),
  full: (occurrence) => occurrence.assets[0]?.name ?? '',
  symbol: (occurrence) => occurrence.assets[0]?.key ?? '',
  industry: (occurrence) => industryOf(occurrence.assets[0]),
  peer: (occurrence, language) => nameOf(occurrence.assets[1], language),
  peer2: (occurrence, language) => nameOf(occurrence.assets[2], language),
  broker: (occurrence) => occurrence.broker,
  analyst: (occurrence) => occurrence.analyst,
  role: (occurrence) => occurrence.role,
  startup: (occurrence) => occurrence.startup,
  brand: (occurrence) => occurrence.brand,
  product: (occurrence) => occurrence.product,
  city: (occurrence) => occurrence.city,
  group: (occurrence) => occurrence.group,
  pct: (occurrence, { numbers }) => numbers.percent(occurrence.pct, 1),
  pctLow: (occurrence, { numbers }) => numbers.percent(occurrence.pctLow, 1),
  pctHigh: (occurrence, { numbers }) => numbers.percent(occurrence.pctHigh, 1),
  moneyLow: (occurrence, language) => money(occurrence, occurrence.moneyLow, language),
  moneyHigh: (occurrence, language) => money(occurrence, occurrence.moneyHigh, language),
  revenueLow: (occurrence, language) => money(occurrence, occurrence.revenueLow, language),
  revenueHigh: (occurrence, language) => money(occurrence, occurrence.revenueHigh, language),
  yearLow: (occurrence, language) => money(occurrence, occurrence.revenueLow * 4, language),
  yearHigh: (occurrence, language) => money(occurrence, occurrence.revenueHigh * 4, language),
  epsLow: (occurrence, language) => perShare(occurrence, occurrence.epsLow, language),
  epsHigh: (occurrence, language) => perShare(occurrence, occurrence.epsHigh, language),
  count: (occurrence, { numbers }) => numbers.count(occurrence.count),
  months: (occurrence) => String(occurrence.months),
  bp: (occurrence) => String(occurrence.basisPoints),
  rateLow: (occurrence, { numbers }) => numbers.percent(occurrence.rateLow, 2),
  rateHigh: (occurrence, { numbers }) => numbers.percent(occurrence.rateHigh, 2),
  quarter: (occurrence, language) => language.quarter(occurrence.quarter),
  quarterLabel: (occurrence, language) => language.quarterLabel(occurrence.quarter, occurrence.quarterYear),
  year: (occurrence) => String(occurrence.year),
  bank: (occurrence, language) => language.banks[occurrence.region],
  place: (occurrence, language) => language.places[occurrence.region],
}

const shortNames = new Map<NewAsset, string>()

function nameOf(asset: NewAsset | undefined, language: Language): string {
  if (asset === undefined) return ''
  const local = language.assetNames[asset.key] ?? shortNames.get(asset)
  if (local !== undefined) return local
  const name = headlineName(asset)
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

/** Facts are in dollars; these factors turn them into amounts that are usual in the currency. */
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

function money(occurrence: Occurrence, billions: number, { numbers }: Language): string {
  const currency = currencyOf(occurrence)
  return numbers.money(billions * (scales[currency] ?? 1), currency)
}

function perShare(occurrence: Occurrence, value: number, { numbers }: Language): string {
  const currency = currencyOf(occurrence)
  return numbers.perShare(value * (scales[currency] ?? 1), currency)
}

function currencyOf(occurrence: Occurrence): string {
  const main = occurrence.assets[0]
  return (main?.type === 'equity' ? main.currency : null) ?? 'USD'
}
