/** Sentences to remember; the oldest are forgotten first. */
const MAX_SENTENCES = 200_000

/**
 * Remembers the sentences of each publisher. A sentence that a publisher repeats under another entry, such as a sign-off
 * or a disclaimer, says nothing about the event.
 */
export class RepeatedSentences {
  readonly #known = new Set<number>()

  /** Returns the content without sentences of the publisher's earlier entries, and remembers the others. */
  strip(publisher: number, content: string): string {
    const fresh: number[] = []
    const kept = sentencesOf(content).filter((sentence) => {
      const hash = hashOf(publisher, sentence)
      if (this.#known.has(hash)) return false
      fresh.push(hash)
      return true
    })
    for (const hash of fresh) this.#known.add(hash)
    for (const oldest of this.#known) {
      if (this.#known.size <= MAX_SENTENCES) break
      this.#known.delete(oldest)
    }
    return kept.join(' ')
  }
}

const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？])|\n+/u

function sentencesOf(text: string): string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')
}

/** Hashes letters and digits in lower case, so that punctuation makes no difference. */
function hashOf(publisher: number, sentence: string): number {
  let hash = 0x811c9dc5 ^ publisher
  for (const word of sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
    hash = Math.imul(hash ^ 32, 0x01000193)
  }
  return hash >>> 0
}
