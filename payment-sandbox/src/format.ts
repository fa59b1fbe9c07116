export const formatDollars = (cents: number): string =>
  `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

export const formatDate = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
