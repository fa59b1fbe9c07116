const MAX_WORDS = 24
const MIN_WORDS = 4
/** The time to embed a text grows with its length; a word of a thousand letters must not delay other texts and searches. */
const MAX_LENGTH = 200

/** Figures make headlines with the same meaning differ and are slow to embed; articles carry no meaning. */
const INSIGNIFICANT = /[$€£¥]?\d[\d.,]*%?|\b(?:the|an?)\b/gi

/** Returns the part of a text to embed: the headline, which says in few words what the text is about. */
export function embeddedText(title: string, content: string | null): string {
  const words = significantWords(title)
  // A headline such as "Oil" is not enough.
  const lead = words.length < MIN_WORDS ? significantWords((content ?? '').slice(0, 200)) : []
  return [...words, ...lead].slice(0, MAX_WORDS).join(' ').slice(0, MAX_LENGTH).toWellFormed()
}

function significantWords(text: string): string[] {
  return text
    .replace(INSIGNIFICANT, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}
