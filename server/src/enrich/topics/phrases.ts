import { NONE, type Vocabulary, type WordForms } from './words.ts'

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
  index: number
  next: Map<number, Node>
  afterNumber: Node | null
  /** What may follow after up to `most` other words. */
  gaps: { most: number; node: Node }[]
  ids: number[]
}

/**
 * All phrases in one tree, so that a text is read once however many there are. A phrase with gaps is followed along as long
 * as its gap lasts; the places followed at a time are at most the nodes of the tree.
 */
export class PhraseTree {
  #vocabulary: Vocabulary
  #nodes: Node[] = []
  #root: Node
  /** Kept between texts, as making them anew would cost more than reading a headline. */
  #open = new OpenPlaces()
  #following = new OpenPlaces()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#root = this.#createNode()
  }

  add(parts: readonly PhrasePart[], id: number): void {
    let ends = [this.#root]
    for (const part of parts) ends = ends.flatMap((node) => this.#extend(node, part))
    for (const node of ends) if (!node.ids.includes(id)) node.ids.push(id)
  }

  find(words: readonly (WordForms | null)[]): PhraseMatch[] {
    const matches: PhraseMatch[] = []
    let [open, following] = [this.#open, this.#following]
    open.clear()
    for (const [at, word] of words.entries()) {
      following.clear()
      if (word !== null) {
        const enter = (node: Node | null | undefined, first: number) => {
          if (node === null || node === undefined) return
          for (const id of node.ids) matches.push({ id, first, last: at })
          if (node.next.size > 0 || node.afterNumber !== null) following.add(node, first, 0)
          for (const gap of node.gaps) following.add(gap.node, first, gap.most)
        }
        step(this.#root, word, at, enter)
        for (let i = 0; i < open.size; i++) {
          const { node, first, skips } = open.get(i)
          step(node, word, first, enter)
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
      node.afterNumber ??= this.#createNode()
      return [node.afterNumber]
    }
    const known = node.gaps.find(({ most }) => most === part.gap)
    if (known !== undefined) return [known.node]
    const created = this.#createNode()
    node.gaps.push({ most: part.gap, node: created })
    return [created]
  }

  #child(node: Node, word: number): Node {
    const known = node.next.get(word)
    if (known !== undefined) return known
    const created = this.#createNode()
    node.next.set(word, created)
    return created
  }

  #createNode(): Node {
    const node: Node = { index: this.#nodes.length, next: new Map(), afterNumber: null, gaps: [], ids: [] }
    this.#nodes.push(node)
    return node
  }
}

function step(
  node: Node,
  word: WordForms,
  first: number,
  enter: (node: Node | null | undefined, first: number) => void,
) {
  if (word.asWritten !== NONE) enter(node.next.get(word.asWritten), first)
  if (word.lower !== NONE) enter(node.next.get(word.lower), first)
  if (word.stem !== NONE) enter(node.next.get(word.stem), first)
  if (word.isNumber) enter(node.afterNumber, first)
}

/** Nodes at which a phrase may go on, each once: with the latest beginning and the most words it may still skip. */
class OpenPlaces {
  size = 0
  #places: { node: Node; first: number; skips: number }[] = []
  /** By the index of the node. */
  #slotOf: number[] = []

  get(i: number): { node: Node; first: number; skips: number } {
    const place = this.#places[i]
    if (place === undefined || i >= this.size) throw new RangeError(`No open place ${i}`)
    return place
  }

  add(node: Node, first: number, skips: number): void {
    const known = this.#places[this.#slotOf[node.index] ?? NONE]
    if (known !== undefined) {
      known.first = Math.max(known.first, first)
      known.skips = Math.max(known.skips, skips)
      return
    }
    this.#slotOf[node.index] = this.size
    this.#places[this.size++] = { node, first, skips }
  }

  clear(): void {
    for (let i = 0; i < this.size; i++) this.#slotOf[this.get(i).node.index] = NONE
    this.size = 0
  }
}
