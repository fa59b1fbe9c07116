const number = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
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
/** Formats a price with the digits that matter: those of a coin may be far below one. */
export const formatPrice = (price: number) =>
  price.toLocaleString(
    undefined,
    Math.abs(price) >= 1 || price === 0
      ? { minimumFractionDigits: 2, maximumFractionDigits: 4 }
      : { maximumSignificantDigits: 6 },
  )
