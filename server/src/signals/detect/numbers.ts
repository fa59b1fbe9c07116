/** Standard deviation of a normal distribution in median absolute deviations (MAD). */
export const DEVIATION_PER_MAD = 1.4826

/** Returns the median of the usual values and the robust z-score of a value, which a few outliers do not distort. */
export function robustZ(value: number, usual: readonly number[], leastDeviation: number) {
  const median = medianOf(usual)
  const deviation = DEVIATION_PER_MAD * medianOf(usual.map((each) => Math.abs(each - median)))
  return { median, z: (value - median) / Math.max(deviation, leastDeviation) }
}

/** Returns the robust z-score of a move; the usual move is taken to be zero. */
export function robustZOfMove(move: number, usual: readonly number[], leastDeviation: number): number {
  return move / Math.max(DEVIATION_PER_MAD * medianOf(usual.map(Math.abs)), leastDeviation)
}

/** Returns NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper
}

/** Returns null for an empty list. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Maps an unbounded value to 0–1; `half` maps to 0.5. */
export function saturate(value: number, half: number): number {
  return value <= 0 ? 0 : value / (value + half)
}

export function round(value: number, digits: number): number {
  const scale = 10 ** digits
  // Adding zero turns -0 into 0.
  return Math.round(value * scale) / scale + 0
}

/** Formats with this many digits and rounds halves away from zero: 6.35 as 6.4, although its binary value is below 6.35. */
export function fixed(value: number, digits: number): string {
  const scaled = Math.round(Number((Math.abs(value) * 10 ** digits).toPrecision(12)))
  return ((Math.sign(value) * scaled) / 10 ** digits + 0).toFixed(digits)
}

export function signed(value: number, digits: number): string {
  const text = fixed(value, digits)
  return text.startsWith('-') ? text : `+${text}`
}

/** Formats 1,234,567 as $1.2 million and 567,890 as $568,000. */
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
