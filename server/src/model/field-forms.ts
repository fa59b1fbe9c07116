import { domainToASCII } from 'node:url'
import { Refused } from './refused.ts'
import { webUrl } from './web-url.ts'

interface Form {
  /** Brings a text into the form in which the store has it, and filters look for it. */
  write(text: string): string
  isRight(text: string): boolean
  /** What is said of a text that is not so, after the name of the field. */
  otherwise: string
}

/** A text as its field wants it; throws Refused where it cannot be. */
export function inForm(field: string, text: string): string {
  const form = Object.hasOwn(FORMS, field) ? FORMS[field] : undefined
  if (form === undefined) return text
  const written = form.write(text)
  if (!form.isRight(written)) throw new Refused(`${field} ${form.otherwise}`)
  return written
}

const upper = (text: string) => text.toUpperCase()
const lower = (text: string) => text.toLowerCase()

const matching =
  (pattern: RegExp): Form['isRight'] =>
  (text) =>
    pattern.test(text)

/** Filters take several names, with commas between them. */
const isName = matching(/^[^\s,/]{1,100}$/u)
const NO_NAME = 'must be 1 to 100 characters without spaces, commas and slashes'

const key: Form = { write: upper, isRight: isName, otherwise: NO_NAME }
const slug: Form = { write: lower, isRight: isName, otherwise: NO_NAME }
const symbol: Form = { write: upper, isRight: matching(/^[^,]{1,100}$/u), otherwise: 'must have no comma' }
const address: Form = {
  write: (text) => webUrl(text)?.href ?? '',
  isRight: (text) => text !== '',
  otherwise: 'is not an http address',
}

const FORMS: Readonly<Record<string, Form>> = {
  key,
  slug,
  parentSlug: slug,
  symbol,
  countryCode: { write: upper, isRight: matching(/^[A-Z]{2}$/), otherwise: 'must be two letters' },
  currency: { write: upper, isRight: matching(/^[A-Z0-9]{2,10}$/), otherwise: 'must be a code such as USD' },
  language: {
    write: lower,
    isRight: matching(/^[a-z]{2,3}(-[a-z0-9]{2,8})?$/),
    otherwise: 'must be a code such as en',
  },
  cik: {
    write: (text) => text.padStart(10, '0'),
    isRight: matching(/^\d{10}$/),
    otherwise: 'must be at most ten digits',
  },
  isin: { write: upper, isRight: matching(/^[A-Z]{2}[A-Z0-9]{9}\d$/), otherwise: 'must be an ISIN of 12 characters' },
  figi: { write: upper, isRight: matching(/^[A-Z0-9]{12}$/), otherwise: 'must be a FIGI of 12 characters' },
  lei: { write: upper, isRight: matching(/^[A-Z0-9]{20}$/), otherwise: 'must be an LEI of 20 characters' },
  domain: {
    write: (text) => domainToASCII(text).replace(/^www\./, ''),
    isRight: matching(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/),
    otherwise: 'must be a domain such as news.example',
  },
  websiteUrl: address,
  homepageUrl: address,
}
