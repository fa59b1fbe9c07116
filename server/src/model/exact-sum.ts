/** Returns the sum of decimal numbers, rounded once, so that it does not depend on their order: 0.1 + 0.2 is 0.3. */
export function exactSum(values: readonly number[]): number {
  const decimals = values.map(decimalOf)
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale))
  const units = decimals.reduce((sum, one) => sum + one.units * 10n ** BigInt(scale - one.scale), 0n)
  return Number(`${units}e-${scale}`)
}

/** Returns a finite number as units × 10^-scale. */
function decimalOf(value: number): { units: bigint; scale: number } {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length - Number(exponent) }
}
