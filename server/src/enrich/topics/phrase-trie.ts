import { NONE, type Vocabulary, type WordForms } from './vocabulary.ts'

/** Where a phrase stands in a text: the places of its first and last word. */
export interface PhraseMatch {
  /** What the phrase was added with. */
  id: number
  first: number
  last: number
}

/** A piece of a phrase: words of which one must stand there, a number, or a gap of up to `most` words. */
export type PhrasePart = { words: readonly string[] } | { number: true } | { gap: number }

interface Node {
  next: Map<number, Node>
  afterNumber: Node | null
  /** What may follow after up to `most` other words. */
  gaps: { most: number; node: Node }[]
  ids: number[]
  /** The word at which the node was last kept open, counted over all texts, and its place in the list then. */
  openedAt: number
  slot: number
}

/**
 * All phrases in one tree, so that a text is read once however many there are. A phrase with gaps is followed along as long
 * as its gap lasts; the places followed at a time are at most the nodes of the tree.
 */
export class PhraseTrie {
  #vocabulary: Vocabulary
  #root = createNode()
  /** Kept between texts, as making them anew would cost more than reading a headline. */
  #open = new OpenPlaces()
  #following = new OpenPlaces()
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
    let [open, following] = [this.#open, this.#following]
    open.clear(this.#wordsRead)
    for (const [at, word] of words.entries()) {
      following.clear(++this.#wordsRead)
      if (word !== null) {
        step(this.#root, word, at, at, following, matches)
        for (let i = 0; i < open.size; i++) {
          const { node, first, skips } = open.get(i)
          step(node, word, first, at, following, matches)
          if (skips > 0) following.add(node, first, skips - 1)
        }
      }
      ;[open, following] = [following, open]
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
    const known = node.next.get(word)
    if (known !== undefined) return known
    const created = createNode()
    node.next.set(word, created)
    return created
  }
}

function createNode(): Node {
  return { next: new Map(), afterNumber: null, gaps: [], ids: [], openedAt: NONE, slot: NONE }
}

/** Goes on from a node over one word, in each form that the word has. */
function step(
  node: Node,
  word: WordForms,
  first: number,
  at: number,
  following: OpenPlaces,
  matches: PhraseMatch[],
): void {
  if (word.asWritten !== NONE) enter(node.next.get(word.asWritten), first, at, following, matches)
  if (word.lower !== NONE) enter(node.next.get(word.lower), first, at, following, matches)
  if (word.stem !== NONE) enter(node.next.get(word.stem), first, at, following, matches)
  if (word.isNumber) enter(node.afterNumber, first, at, following, matches)
}

function enter(
  node: Node | null | undefined,
  first: number,
  at: number,
  following: OpenPlaces,
  matches: PhraseMatch[],
): void {
  if (node === null || node === undefined) return
  for (const id of node.ids) matches.push({ id, first, last: at })
  if (node.next.size > 0 || node.afterNumber !== null) following.add(node, first, 0)
  for (const gap of node.gaps) following.add(gap.node, first, gap.most)
}

interface OpenPlace {
  node: Node
  first: number
  skips: number
}

/** Nodes at which a phrase may go on, each once: with the latest beginning and the most words it may still skip. */
class OpenPlaces {
  size = 0
  #places: OpenPlace[] = []
  #openedAt = NONE

  get(i: number): OpenPlace {
    const place = this.#places[i]
    if (place === undefined || i >= this.size) throw new RangeError(`No open place ${i}`)
    return place
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
    const used = this.#places[this.size]
    if (used === undefined) this.#places.push({ node, first, skips })
    else {
      used.node = node
      used.first = first
      used.skips = skips
    }
    this.size++
  }

  /** Empties the list for the word that is read now. */
  clear(word: number): void {
    this.size = 0
    this.#openedAt = word
  }
}
