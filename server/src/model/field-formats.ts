import { domainToASCII } from 'node:url'
import { Refused } from './refused.ts'
import { webUrl } from './web-url.ts'

interface Format {
  /** Returns the text as the store keeps it and filters compare it. */
  normalize(text: string): string
  isValid(text: string): boolean
  /** Error message for an invalid text, which follows the name of the field. */
  message: string
}

/** Normalizes the text of a field, such as an ISIN or a slug; throws Refused if it is invalid. */
export function normalizeField(field: string, text: string): string {
  const format = Object.hasOwn(FORMATS, field) ? FORMATS[field] : undefined
  if (format === undefined) return text
  const normalized = format.normalize(text)
  if (!format.isValid(normalized)) throw new Refused(`${field} ${format.message}`)
  return normalized
}

const upper = (text: string) => text.toUpperCase()
const lower = (text: string) => text.toLowerCase()

const matching =
  (pattern: RegExp): Format['isValid'] =>
  (text) =>
    pattern.test(text)

/** No commas: filters take comma-separated lists of names. */
const isName = matching(/^[^\s,/]{1,100}$/u)
const NAME_MESSAGE = 'must be 1 to 100 characters without spaces, commas and slashes'

const key: Format = { normalize: upper, isValid: isName, message: NAME_MESSAGE }
const slug: Format = { normalize: lower, isValid: isName, message: NAME_MESSAGE }
const currency: Format = {
  normalize: upper,
  isValid: matching(/^[A-Z0-9]{2,10}$/),
  message: 'must be a code such as USD',
}
const symbol: Format = {
  normalize: upper,
  isValid: matching(/^[^,]{1,100}$/u),
  message: 'must be 1 to 100 characters without commas',
}
const url: Format = {
  normalize: (text) => webUrl(text)?.href ?? '',
  isValid: (text) => text !== '',
  message: 'must be an http or https URL',
}

function isTimezone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

const FORMATS: Readonly<Record<string, Format>> = {
  key,
  slug,
  parentSlug: slug,
  topicSlugs: slug,
  assetKey: key,
  assetKeys: key,
  symbol,
  countryCode: { normalize: upper, isValid: matching(/^[A-Z]{2}$/), message: 'must be two letters' },
  currency,
  baseCurrency: currency,
  quoteCurrency: currency,
  timezone: { normalize: (text) => text, isValid: isTimezone, message: 'must be a time zone such as Europe/Berlin' },
  language: {
    normalize: lower,
    isValid: matching(/^[a-z]{2,3}(-[a-z0-9]{2,8})?$/),
    message: 'must be a code such as en',
  },
  cik: {
    normalize: (text) => text.padStart(10, '0'),
    isValid: matching(/^\d{10}$/),
    message: 'must be at most ten digits',
  },
  isin: { normalize: upper, isValid: matching(/^[A-Z]{2}[A-Z0-9]{9}\d$/), message: 'must be an ISIN of 12 characters' },
  figi: { normalize: upper, isValid: matching(/^[A-Z0-9]{12}$/), message: 'must be a FIGI of 12 characters' },
  lei: { normalize: upper, isValid: matching(/^[A-Z0-9]{20}$/), message: 'must be an LEI of 20 characters' },
  domain: {
    normalize: (text) => domainToASCII(text).replace(/^www\./, ''),
    isValid: matching(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/),
    message: 'must be a domain such as news.example',
  },
  websiteUrl: url,
  homepageUrl: url,
}
