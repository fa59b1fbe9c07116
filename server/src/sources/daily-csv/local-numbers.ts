import { numberField } from '../fields.ts'

/**
 * Returns a reader for the numbers of a file. Its decimal mark is a comma if one of `texts`, such as 12,5, can mean
 * nothing else. A number such as 1,234 is read only if another number shows which mark is the decimal one.
 */
export function numberReader(texts: readonly string[]): (text: string) => number | null {
  const hasDecimalComma = texts.some((text) => DECIMAL_COMMA.test(text))
  const hasDecimalPoint = texts.some((text) => DECIMAL_POINT.test(text))
  if (hasDecimalComma && !hasDecimalPoint) {
    return (text) => (COMMA_NUMBER.test(text) ? numberField(text.replaceAll('.', '').replace(',', '.')) : null)
  }
  return (text) => {
    const isGrouped = GROUPED.test(text) && (hasDecimalPoint || text.split(',').length > 2)
    return numberField(isGrouped ? text.replaceAll(',', '') : text)
  }
}

/** A last group of other than three digits follows the decimal mark. */
const DECIMAL_COMMA = /^[+-]?[\d.]*,(?:\d{1,2}|\d{4,})$/
const DECIMAL_POINT = /^[+-]?[\d,]*\.(?:\d{1,2}|\d{4,})$/
const COMMA_NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
