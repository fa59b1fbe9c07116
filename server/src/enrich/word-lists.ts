/** The idioms of a list that is written over several lines, separated by commas. */
export function parseIdioms(list: string): string[] {
  return list.trim().split(/,\s+/)
}

/** The words of a list that is written over several lines, separated by spaces. */
export function parseWords(list: string): string[] {
  return list.trim().split(/\s+/)
}
