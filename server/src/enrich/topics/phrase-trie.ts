import { NONE, type Vocabulary, type WordForms } from './vocabulary.ts'

/** The position of a phrase in a text: the indexes of its first and last word. */
export interface PhraseMatch {
  /** The id that the phrase was added with. */
  id: number
  first: number
  last: number
}

/** A part of a phrase: alternative words, a number, or a gap of up to that many words. */
export type PhrasePart = { words: readonly string[] } | { number: true } | { gap: number }

interface Node {
  children: Map<number, Node>
  afterNumber: Node | null
  /** Nodes that may follow after up to `most` other words. */
  gaps: { most: number; node: Node }[]
  ids: number[]
  /** The word, counted over all texts, at which the node was last opened, and its index in the list then. */
  openedAt: number
  slot: number
}

/**
 * All phrases in one trie, so that a text is read once however many there are. Partial matches are followed in
 * parallel; at most one per node is open, which bounds the work per word.
 */
export class PhraseTrie {
  #vocabulary: Vocabulary
  #root = createNode()
  /** Reused between texts: allocating them would cost more than reading a headline. */
  #open = new PartialMatches()
  #next = new PartialMatches()
  #wordsRead = 0

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  add(parts: readonly PhrasePart[], id: number): void {
    let ends = [this.#root]
    for (const part of parts) ends = ends.flatMap((node) => this.#extend(node, part))
    for (const node of ends) if (!node.ids.includes(id)) node.ids.push(id)
  }

  find(words: readonly (WordForms | null)[]): PhraseMatch[] {
    const matches: PhraseMatch[] = []
    let [open, next] = [this.#open, this.#next]
    open.clear(this.#wordsRead)
    for (const [at, word] of words.entries()) {
      next.clear(++this.#wordsRead)
      if (word !== null) {
        step(this.#root, word, at, at, next, matches)
        for (let i = 0; i < open.size; i++) {
          const { node, first, skips } = open.get(i)
          step(node, word, first, at, next, matches)
          if (skips > 0) next.add(node, first, skips - 1)
        }
      }
      ;[open, next] = [next, open]
    }
    return matches
  }

  #extend(node: Node, part: PhrasePart): Node[] {
    if ('words' in part) return part.words.map((word) => this.#child(node, this.#vocabulary.add(word)))
    if ('number' in part) {
      node.afterNumber ??= createNode()
      return [node.afterNumber]
    }
    const known = node.gaps.find(({ most }) => most === part.gap)
    if (known !== undefined) return [known.node]
    const created = createNode()
    node.gaps.push({ most: part.gap, node: created })
    return [created]
  }

  #child(node: Node, word: number): Node {
    const known = node.children.get(word)
    if (known !== undefined) return known
    const created = createNode()
    node.children.set(word, created)
    return created
  }
}

function createNode(): Node {
  return { children: new Map(), afterNumber: null, gaps: [], ids: [], openedAt: NONE, slot: NONE }
}

/** Advances from a node over one word, in each form of the word. */
function step(
  node: Node,
  word: WordForms,
  first: number,
  at: number,
  next: PartialMatches,
  matches: PhraseMatch[],
): void {
  if (word.asWritten !== NONE) enter(node.children.get(word.asWritten), first, at, next, matches)
  if (word.lower !== NONE) enter(node.children.get(word.lower), first, at, next, matches)
  if (word.stem !== NONE) enter(node.children.get(word.stem), first, at, next, matches)
  if (word.isNumber) enter(node.afterNumber, first, at, next, matches)
}

function enter(
  node: Node | null | undefined,
  first: number,
  at: number,
  next: PartialMatches,
  matches: PhraseMatch[],
): void {
  if (node === null || node === undefined) return
  for (const id of node.ids) matches.push({ id, first, last: at })
  if (node.children.size > 0 || node.afterNumber !== null) next.add(node, first, 0)
  for (const gap of node.gaps) next.add(gap.node, first, gap.most)
}

interface PartialMatch {
  node: Node
  first: number
  skips: number
}

/** Partial matches, one per node: with the latest start and the most words that may still be skipped. */
class PartialMatches {
  size = 0
  #matches: PartialMatch[] = []
  #openedAt = NONE

  get(i: number): PartialMatch {
    const match = this.#matches[i]
    if (match === undefined || i >= this.size) throw new RangeError(`No partial match ${i}`)
    return match
  }

  add(node: Node, first: number, skips: number): void {
    if (node.openedAt === this.#openedAt) {
      const known = this.get(node.slot)
      known.first = Math.max(known.first, first)
      known.skips = Math.max(known.skips, skips)
      return
    }
    node.openedAt = this.#openedAt
    node.slot = this.size
    const used = this.#matches[this.size]
    if (used === undefined) this.#matches.push({ node, first, skips })
    else {
      used.node = node
      used.first = first
      used.skips = skips
    }
    this.size++
  }

  /** Empties the list for the next word. */
  clear(word: number): void {
    this.size = 0
    this.#openedAt = word
  }
}
