const MAX_WORDS = 24
const MIN_WORDS = 4

/** Figures make headlines with the same meaning differ and are slow to embed; articles carry no meaning. */
const INSIGNIFICANT = /[$€£¥]?\d[\d.,]*%?|\b(?:the|an?)\b/gi

/** Returns the part of a text to embed: the headline, which says in few words what the text is about. */
export function embeddedText(title: string, content: string | null): string {
  const words = significantWords(title)
  // A headline such as "Oil" is not enough.
  const lead = words.length < MIN_WORDS ? significantWords((content ?? '').slice(0, 200)) : []
  return [...words, ...lead].slice(0, MAX_WORDS).join(' ')
}

function significantWords(text: string): string[] {
  return text
    .replace(INSIGNIFICANT, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}
