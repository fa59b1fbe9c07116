/** Splits a list of words separated by white space. */
export function parseWords(list: string): string[] {
  return list.trim().split(/\s+/)
}

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(parseWords(list))
}

/** Splits a list of words and idioms separated by commas. */
export function parseIdioms(list: string): string[] {
  return list.trim().split(/,\s+/)
}
