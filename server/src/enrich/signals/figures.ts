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

export function signed(value: number, digits: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(digits)}`
}

/** 1,234,567 as $1.2 million. */
export function dollarsOf(value: number): string {
  if (value >= 1e9) return `$${(value / 1e9).toFixed(1)} billion`
  if (value >= 1e6) return `$${(value / 1e6).toFixed(1)} million`
  return `$${Math.round(value).toLocaleString('en-US')}`
}

export function percentOf(share: number): string {
  return `${Math.round(share * 100)}%`
}

export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}
