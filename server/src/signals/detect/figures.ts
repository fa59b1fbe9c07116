/** A deviation of a normal distribution is this many median absolute deviations. */
export const DEVIATION_PER_MAD = 1.4826

/** How far a value is from what is usual, in deviations that a few odd values do not stretch. */
export function robustZ(value: number, usual: readonly number[], leastDeviation: number) {
  const median = medianOf(usual)
  const deviation = DEVIATION_PER_MAD * medianOf(usual.map((each) => Math.abs(each - median)))
  return { median, z: (value - median) / Math.max(deviation, leastDeviation) }
}

/** The same for moves, of which none is the usual one: up as often as down. */
export function robustZOfMove(move: number, usual: readonly number[], leastDeviation: number): number {
  return move / Math.max(DEVIATION_PER_MAD * medianOf(usual.map(Math.abs)), leastDeviation)
}

/** Not a number when there are none. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper
}

/** Null when there are none. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of something that has no upper bound, a share: `half` gives 0.5. */
export function saturate(value: number, half: number): number {
  return value <= 0 ? 0 : value / (value + half)
}

export function round(value: number, digits: number): number {
  const scale = 10 ** digits
  // Adding zero turns -0 into 0.
  return Math.round(value * scale) / scale + 0
}

/** With so many digits, a half away from zero: 6.35 as 6.4, although the nearest number to it that there is lies below. */
export function fixed(value: number, digits: number): string {
  const scaled = Math.round(Number((Math.abs(value) * 10 ** digits).toPrecision(12)))
  return ((Math.sign(value) * scaled) / 10 ** digits + 0).toFixed(digits)
}

export function signed(value: number, digits: number): string {
  const text = fixed(value, digits)
  return text.startsWith('-') ? text : `+${text}`
}

/** 1,234,567 as $1.2 million, 567,890 as $568,000. */
export function dollarsOf(value: number): string {
  if (value >= 999.95e6) return `$${fixed(value / 1e9, 1)} billion`
  if (value >= 999_500) return `$${fixed(value / 1e6, 1)} million`
  return `$${(value < 1000 ? Math.round(value) : Math.round(value / 1000) * 1000).toLocaleString('en-US')}`
}

export function percentOf(share: number): string {
  return `${fixed(share * 100, 0)}%`
}

export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}
