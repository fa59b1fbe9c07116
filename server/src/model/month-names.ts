const ENGLISH = 'january february march april may june july august september october november december'.split(' ')

/** Returns the number of a month, from 1, by its name or short form in lower case. */
export function monthOf(word: string): number | undefined {
  const name = word.replace('.', '')
  const english = name.length < 3 ? -1 : ENGLISH.findIndex((month) => month.startsWith(name))
  if (english >= 0) return english + 1
  localMonths ??= listLocalMonths()
  return localMonths.get(withoutAccents(word))
}

/** Languages whose months have names of letters; of two equal names, the language listed first wins. */
const LOCALES =
  'de de-AT fr es it pt nl sv da nb fi is pl cs sk sl hu ro bg ru uk el tr et lv lt ca id ms hr sr ar'.split(' ')
/** With a day, some languages use the genitive. */
const STYLES: Intl.DateTimeFormatOptions[] = [
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
  { month: 'long' },
  { month: 'short' },
]
/** Misspellings and short forms seen in feeds, which the Unicode data does not have. */
const SEEN: [string, number][] = [
  ['μαω', 3],
  ['μαι', 5],
  ['maujus', 5],
  ['ιον', 6],
  ['ιολ', 7],
  ['februari', 2],
]

/** Filled on first use: most feeds need only the English names. */
let localMonths: ReadonlyMap<string, number> | undefined

function listLocalMonths(): Map<string, number> {
  const months = new Map(SEEN)
  for (const locale of LOCALES) {
    for (const style of STYLES) {
      const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { ...style, timeZone: 'UTC' })
      for (let month = 1; month <= 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2004, month - 1, 15))
        const name = withoutAccents(parts.find(({ type }) => type === 'month')?.value ?? '')
        if (!months.has(name)) months.set(name, month)
      }
    }
  }
  return months
}

const withoutAccents = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
