/** The time that a title is about, a bit for each quarter and each month. */
export interface Periods {
  quarters: number
  months: number
}

/** A headline that comes back on other days with other news, or a list of many stories: it holds no story together. */
export function isRoutineTitle(title: string): boolean {
  return ROUTINE.test(title.slice(0, 200))
}

const ROUTINE = new RegExp(
  [
    // lists
    '\\b(?:\\d{1,2}|three|four|five|six|seven|eight|nine|ten) (?:key |big |top |more )?(?:things|stories|takeaways|charts|stocks|reasons|headlines)\\b',
    '\\bthings to (?:know|watch)\\b',
    '\\b(?:what|stocks|earnings|events) to watch\\b',
    '\\bbiggest (?:stock )?mov(?:es|ers)\\b',
    '\\b(?:top|daily|weekly|morning|evening|latest) (?:stories|headlines|news|digest|brief|briefing|bid|update|roundup|recap|wrap)\\b',
    '\\b(?:news|market|markets|weekly|daily|earnings) (?:roundup|round-up|recap|wrap|wrap-up|digest|snapshot|summary|report|talk|minute)\\b',
    '\\b(?:week|day) (?:ahead|in review)\\b',
    '\\b(?:press digest|newsletter|stock movers|earnings calendar|economic calendar|on this day|photos of the day)\\b',
    // reports of every trading day
    '\\bstock market (?:today|news)\\b',
    '\\bhow (?:major )?(?:us |u\\.s\\. )?stock ind(?:exes|ices) fared\\b',
    '\\b(?:opening|closing) bell\\b',
    '^(?:us |u\\.s\\. |european |asian |asia |uk |global |world )?(?:stocks|shares|markets|equities|futures)(?: markets?)? (?:close|closed|end|ended|finish|finished|open|opened|edge|edged|mixed|higher|lower|rise|fall|slip|drift)\\b',
  ].join('|'),
  'i',
)

const QUARTER = /\bq([1-4])\b|\b([1-4])q\b|\b(first|second|third|fourth)[- ]quarter\b/gi
const ORDINALS = ['first', 'second', 'third', 'fourth']
/** "may" and "march" are words as well: a month must be written with a capital, and follow or precede another word. */
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

/** Both name a quarter, and not the same. */
export function differsInQuarter(a: Periods, b: Periods): boolean {
  return isDisjoint(a.quarters, b.quarters)
}

/** Both name a month, and not the same. */
export function differsInMonth(a: Periods, b: Periods): boolean {
  return isDisjoint(a.months, b.months)
}

function isDisjoint(a: number, b: number): boolean {
  return a !== 0 && b !== 0 && (a & b) === 0
}
