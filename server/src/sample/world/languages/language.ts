import type { Direction, EventScope, EventTemplates } from '../events/event.ts'

export const REGIONS = ['US', 'EU', 'GB', 'JP', 'CN'] as const
export type Region = (typeof REGIONS)[number]

export interface Language {
  code: string
  /** Separator between sentences. */
  joiner: string
  /** A text gets more sentences until it has this many characters. */
  contentLength: number
  numbers: Numbers
  /** Local names of assets by key, where they differ from the international name. */
  assetNames: Record<string, string>
  quarter(quarter: number): string
  quarterLabel(quarter: number, year: number): string
  /** Central bank with its article, as in the middle of a sentence. */
  banks: Record<Region, string>
  /** Place with its preposition. */
  places: Record<Region, string>
  /** By kind of event; a language may lack some kinds. */
  eventTemplates: Record<string, EventTemplates>
  /** Contracts words around filled slots, such as « de » before a vowel. */
  contract?(text: string): string
  /** Sentences that mention one or two further assets. */
  onePeer: readonly string[]
  twoPeers: readonly string[]
  backgrounds: Partial<Record<EventScope, readonly string[]>>
  closings: Record<Direction, readonly string[]>
  authors: { given: readonly string[]; family: readonly string[]; familyFirst?: true }
}

export interface Numbers {
  percent(value: number, digits: number): string
  money(billions: number, currency: string): string
  perShare(value: number, currency: string): string
  count(value: number): string
}

export function group(value: number, separator: string): string {
  if (value < 1000) return String(value)
  return `${Math.floor(value / 1000)}${separator}${String(value % 1000).padStart(3, '0')}`
}

/** Formats numbers with a decimal comma and the currency last. */
export function commaNumbers(words: {
  group: string
  percent: string
  billions: string
  millions: string
  currencies: Record<string, string>
}): Numbers {
  const comma = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')
  return {
    percent: (value, digits) => comma(value, digits) + words.percent,
    // Below two billion the unit is millions, so that the plural is right.
    money: (billions, currency) => {
      const unit = words.currencies[currency] ?? currency
      if (billions < 2) return `${group(Math.round(billions * 100) * 10, words.group)} ${words.millions} ${unit}`
      return `${billions < 100 ? comma(billions, 1) : group(Math.round(billions), words.group)} ${words.billions} ${unit}`
    },
    perShare: (value, currency) => `${comma(value, 2)} ${currency}`,
    count: (value) => group(value, words.group),
  }
}

/** Formats Japanese and Chinese numbers, which count in units of a hundred million and of a trillion. */
export function hundredMillionNumbers(words: {
  unit: string
  large: string
  currencies: Record<string, string>
}): Numbers {
  return {
    percent: (value, digits) => `${value.toFixed(digits)}%`,
    money: (billions, currency) => {
      const unit = words.currencies[currency] ?? currency
      const hundredMillions = Math.max(1, Math.round(billions * 10))
      return hundredMillions < 10_000
        ? `${hundredMillions}${words.unit}${unit}`
        : `${(hundredMillions / 10_000).toFixed(1)}${words.large}${unit}`
    },
    perShare: (value, currency) => `${value.toFixed(2)}${words.currencies[currency] ?? currency}`,
    count: (value) => group(value, ','),
  }
}
