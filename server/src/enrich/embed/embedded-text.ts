const MOST_WORDS = 24
const ENOUGH_WORDS = 4

/** The part of an entry that its vector stands for: the headline, which says what it is about in few words. */
export function embeddedText(title: string, content: string | null): string {
  const words = title.split(' ')
  // A headline such as "Oil" says too little.
  const lead = words.length < ENOUGH_WORDS ? (content ?? '').slice(0, 200).split(' ') : []
  return [...words, ...lead].slice(0, MOST_WORDS).join(' ')
}
