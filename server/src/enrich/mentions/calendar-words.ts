import { normalizedWords } from './tokens.ts'

/** Apart from the other ordinary words: every start loads these, and the others take 40 ms. */

export const isOfCalendar = (word: string) => CALENDAR.has(word)

const CALENDAR = normalizedWords(`
  monday tuesday wednesday thursday friday saturday sunday january february march april june july september october
  november december`)
