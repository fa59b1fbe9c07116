const number = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const usual = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const tiny = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

export const formatNumber = (value: number) => number.format(value)
export const formatCompact = (value: number) => compact.format(value)
/** Formats a share from 0 to 1. */
export const formatPercent = (share: number) => percent.format(share)
export const formatUsd = (value: number) =>
  value.toLocaleString(undefined, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: value % 1 === 0 ? 0 : 2,
  })
export const formatCredits = (credits: number) => `${formatNumber(credits)} ${credits === 1 ? 'credit' : 'credits'}`
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1)
  const unit = BYTE_UNITS[power] ?? 'byte'
  return (bytes / 1_000 ** power).toLocaleString(undefined, { style: 'unit', unit, maximumFractionDigits: 1 })
}

/** Formats the duration of a request. */
export const formatDuration = (ms: number): string =>
  ms < 1_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`

/** Formats a duration by its largest unit. */
export function formatSeconds(seconds: number): string {
  const [value, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7_200
        ? [seconds / 60, 'minute']
        : seconds < 172_800
          ? [seconds / 3_600, 'hour']
          : [seconds / 86_400, 'day']
  return Math.round(value).toLocaleString(undefined, { style: 'unit', unit, unitDisplay: 'short' })
}

/** Formats a price with the digits that matter: those of a coin may be far below one. */
export const formatPrice = (price: number) => (Math.abs(price) >= 1 || price === 0 ? usual : tiny).format(price)
