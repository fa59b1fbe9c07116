/** The quarters and months that a title names, one bit each. */
export interface Periods {
  quarters: number
  months: number
}

const QUARTER = /\bq([1-4])\b|\b([1-4])q\b|\b(first|second|third|fourth)[- ]quarter\b/gi
const ORDINALS = ['first', 'second', 'third', 'fourth']
/** Case-sensitive, since "may" and "march" are words too. */
const MONTH = /\b(Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)(?:uary|ruary|ust|ember|ober)?\b/g
const MONTHS = ['Jan', 'Feb', 'March', 'April', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

export function periodsOf(title: string): Periods {
  const read = title.slice(0, 300)
  let quarters = 0
  for (const [, after, before, ordinal] of read.matchAll(QUARTER)) {
    const quarter = ordinal === undefined ? Number(after ?? before) - 1 : ORDINALS.indexOf(ordinal.toLowerCase())
    quarters |= 1 << quarter
  }
  let months = 0
  for (const [, month = ''] of read.matchAll(MONTH)) months |= 1 << MONTHS.indexOf(month)
  return { quarters, months }
}

/** Reports whether both name quarters and share none. */
export function differsInQuarter(a: Periods, b: Periods): boolean {
  return isDisjoint(a.quarters, b.quarters)
}

/** Reports whether both name months and share none. */
export function differsInMonth(a: Periods, b: Periods): boolean {
  return isDisjoint(a.months, b.months)
}

function isDisjoint(a: number, b: number): boolean {
  return a !== 0 && b !== 0 && (a & b) === 0
}
