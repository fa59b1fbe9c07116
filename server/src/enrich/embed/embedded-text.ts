const MOST_WORDS = 24
const ENOUGH_WORDS = 4

/** Figures tell headlines apart that mean the same, and a model of words takes long over them; articles say nothing. */
const INSIGNIFICANT = /[$€£¥]?\d[\d.,]*%?|\b(?:the|an?)\b/gi

/** The part of a text that its vector stands for: the headline, which says what it is about in few words. */
export function embeddedText(title: string, content: string | null): string {
  const words = significantWords(title)
  // A headline such as "Oil" says too little.
  const lead = words.length < ENOUGH_WORDS ? significantWords((content ?? '').slice(0, 200)) : []
  return [...words, ...lead].slice(0, MOST_WORDS).join(' ')
}

function significantWords(text: string): string[] {
  return text
    .replace(INSIGNIFICANT, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}
