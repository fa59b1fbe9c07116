import { type EntryText, LONGEST_READ } from '../text.ts'
import type { FoundAsset, Mention, MentionedAsset } from './asset.ts'
import {
  contextFor,
  continuesName,
  ENOUGH,
  hasOtherMeaning,
  isCompound,
  isFundOf,
  isPerson,
  isPrefixed,
  type Span,
} from './context.ts'
import { SMALL_WORDS } from './legal-names.ts'
import { indexNames, type Name, type NameIndex } from './names.ts'
import { type Passage, passagesOf } from './passage.ts'
import { relevanceOf } from './relevance.ts'
import { isBystander } from './roles.ts'
import { indexSymbols, type SymbolIndex } from './symbols.ts'
import { tickersOf } from './tickers.ts'

/** Finds the assets of one catalogue in texts. Built once; a change of the catalogue needs a new one. */
export class AssetMatcher {
  readonly #names: NameIndex
  readonly #symbols: SymbolIndex

  constructor(assets: readonly MentionedAsset[]) {
    this.#names = indexNames(assets)
    this.#symbols = indexSymbols(assets)
  }

  /** The assets an entry is about, the most relevant first. */
  find(text: EntryText): FoundAsset[] {
    const candidates = [
      ...passagesOf('title', text.title.slice(0, LONGEST_READ)),
      ...passagesOf('content', text.content.slice(0, LONGEST_READ)),
    ].flatMap((passage) => candidatesOf(passage, this.#names, this.#symbols))
    return withRoles(settle(candidates))
  }
}

/** Words that may name one of several assets. Start and end are what is shown; the span may be longer (an exchange). */
interface Candidate extends Span {
  start: number
  end: number
  assets: readonly MentionedAsset[]
  /** Null for a ticker. */
  name: Name | null
  isSure: boolean
}

interface Settled extends Candidate {
  asset: MentionedAsset
}

function candidatesOf(passage: Passage, names: NameIndex, symbols: SymbolIndex): Candidate[] {
  const candidates: Candidate[] = []
  const tickers = tickersOf(passage, symbols)
  let nextTicker = 0
  for (let index = passage.from; index < passage.to; ) {
    const ticker = tickers[nextTicker]
    if (ticker !== undefined && ticker.first <= index) {
      const { first, last, start, end, assets, isMarked, isElsewhere } = ticker
      // A bare ticker may be the beginning of a name: "AMD Ryzen", "SAP SE".
      const longer = isMarked ? null : longestName(passage, index, names, passage.to)
      nextTicker++
      if (longer === null) {
        candidates.push({ passage, first, last, start, end, assets, name: null, isSure: !isElsewhere })
        index = last + 1
        continue
      }
    }
    const found = longestName(passage, index, names, tickers[nextTicker]?.first ?? passage.to)
    if (found === null) {
      index++
      continue
    }
    candidates.push(found)
    index = found.last + 1
    while ((tickers[nextTicker]?.first ?? passage.to) < index) nextTicker++
  }
  return candidates
}

/** The longest name that begins at a token and is written as a name. */
function longestName(passage: Passage, first: number, index: NameIndex, to: number): Candidate | null {
  const { tokens } = passage
  const token = tokens[first]
  if (token === undefined || token.norm === '') return null
  if (token.shape === 'lower' && passage.style !== 'small' && !index.smallBeginnings.has(token.norm)) return null
  const owned = token.possessive === null ? 0 : (index.longest.get(token.possessive) ?? 0)
  const longest = Math.max(index.longest.get(token.norm) ?? 0, owned)
  const second = tokens[first + 1]
  if (longest > 0) {
    const last = lastOfName(passage, first, longest, to, index)
    const beginnings = ['']
    for (let at = first; at < last; at++) {
      beginnings.push(`${beginnings.at(-1)}${tokens[at]?.possessive ?? tokens[at]?.norm} `)
    }
    for (let at = last; at >= first; at--) {
      const { norm = '', possessive = null } = tokens[at] ?? {}
      const before = beginnings[at - first] ?? ''
      const owned = possessive === null ? undefined : index.names.get(before + possessive)
      const name = owned ?? index.names.get(before + norm)
      if (name === undefined || !isWritten(name, passage, first, at)) continue
      // In "Macy's" the end belongs to the name.
      const found = candidate(passage, first, at, name)
      return owned === undefined ? found : { ...found, end: found.end + 2 }
    }
  }
  if (second?.glue !== 'hyphen' || first + 1 >= to) return null
  const joined = index.names.get(token.norm + second.norm)
  return joined !== undefined && isWritten(joined, passage, first, first + 1)
    ? candidate(passage, first, first + 1, joined)
    : null
}

/** How far a name from `first` could reach: as many words as the longest, no sign between that separates. */
function lastOfName(passage: Passage, first: number, longest: number, to: number, index: NameIndex): number {
  const { tokens } = passage
  const second = tokens[first + 1]
  if (longest === 1 || second === undefined || first + 1 >= to || second.glue === 'break') return first
  const start = tokens[first]?.possessive ?? tokens[first]?.norm ?? ''
  const isName = index.pairs.has(`${start} ${second.norm}`) || index.pairs.has(`${start} ${second.possessive}`)
  if (!isName) return first
  let last = first + 1
  while (last + 1 < to && last + 1 - first < longest && tokens[last + 1]?.glue !== 'break') last++
  return last
}

function candidate(passage: Passage, first: number, last: number, name: Name): Candidate {
  const start = passage.tokens[first]?.start ?? 0
  const end = passage.tokens[last]?.end ?? 0
  const isSure = !name.isWeak && name.assets.length === 1
  return { passage, first, last, start, end, assets: name.assets, name, isSure }
}

/** Whether the capitals are those of the name. */
function isWritten(name: Name, passage: Passage, first: number, last: number): boolean {
  for (let index = first; index <= last; index++) {
    const token = passage.tokens[index]
    if (token === undefined) return false
    if (token.shape === 'other' || token.shape === 'upper') continue
    if (name.needsCapitals && !SMALL_WORDS.has(token.norm)) return false
    if (token.shape === 'capital' || name.mayBeSmall) continue
    if (index > first && SMALL_WORDS.has(token.norm)) continue
    if (passage.style === 'small' && !name.isWeak) continue
    return false
  }
  return true
}

/** Decides what is doubtful by what is sure: the same asset named elsewhere, else the words around. */
function settle(candidates: readonly Candidate[]): Settled[] {
  const sure = new Set<MentionedAsset>()
  const settled: Settled[] = []
  const open: Candidate[] = []
  for (const [index, candidate] of candidates.entries()) {
    const named = tickerAfterName(candidates[index - 1], candidate) ?? tickerAfterName(candidate, candidates[index + 1])
    if (named !== null) {
      sure.add(named)
      settled.push({ ...candidate, asset: named })
      continue
    }
    const asset = candidate.assets.length === 1 ? candidate.assets[0] : undefined
    if (candidate.name !== null && isPartOfOther(candidate, candidate.name)) continue
    if (asset === undefined || !candidate.isSure) open.push(candidate)
    else if (candidate.name === null || !hasOtherMeaning(candidate)) {
      sure.add(asset)
      settled.push({ ...candidate, asset })
    }
  }
  if (open.length === 0) return settled
  const places = new Set(
    settled.map(({ passage, last, asset }) => (asset.type === 'equity' ? place(passage, last) : '')),
  )
  for (const { passage, first, asset } of settled) if (asset.type === 'equity') places.add(place(passage, first))
  for (const candidate of open) {
    const asset = choose(candidate, sure, isListed(candidate, places))
    if (asset !== null) settled.push({ ...candidate, asset })
  }
  return settled
}

/** "Shell (NYSE: SHEL)": a name and a ticker side by side vouch for each other. */
function tickerAfterName(name: Candidate | undefined, ticker: Candidate | undefined): MentionedAsset | null {
  if (name === undefined || ticker === undefined || name.name === null || ticker.name !== null) return null
  if (name.passage !== ticker.passage || ticker.first - name.last > 2) return null
  return ticker.assets.find((asset) => name.assets.includes(asset)) ?? null
}

/** The words belong to a longer name, of a person or of another company. */
function isPartOfOther(candidate: Candidate, name: Name): boolean {
  if (name.assets[0]?.type === 'equity' && isFundOf(candidate)) return true
  return isPerson(candidate) || isPrefixed(candidate) || continuesName(candidate, name)
}

/** "Amazon, Target and Walmart": a word beside a company in a list of them is one too. */
function isListed({ passage, first, last }: Candidate, companies: ReadonlySet<string>): boolean {
  const { tokens, text } = passage
  const before = tokens[first - 1]
  const after = tokens[last + 1]
  if (before?.norm === 'and' && companies.has(place(passage, first - 2))) return true
  if (after?.norm === 'and' && companies.has(place(passage, last + 2))) return true
  const start = tokens[first]?.start ?? 0
  const end = tokens[last]?.end ?? 0
  if (companies.has(place(passage, first - 1)) && text.slice(start - 2, start) === ', ') return true
  return companies.has(place(passage, last + 1)) && text.slice(end, end + 2) === ', '
}

function place(passage: Passage, index: number): string {
  return `${passage.field} ${index}`
}

function choose(
  candidate: Candidate,
  sure: ReadonlySet<MentionedAsset>,
  isAmongCompanies: boolean,
): MentionedAsset | null {
  const known = candidate.assets.filter((asset) => sure.has(asset))
  if (known.length === 1 && !hasOtherMeaning(candidate) && !isCompound(candidate)) return known[0] ?? null
  // A ticker of another exchange, or initials that everybody uses.
  if (candidate.name === null ? !candidate.isSure : candidate.name.isAbbreviation) return null
  const isWeak = candidate.name?.isWeak ?? false
  let best: MentionedAsset | null = null
  let bestScore = isWeak ? ENOUGH - 0.001 : 0
  let isTie = false
  for (const asset of candidate.assets) {
    const score =
      contextFor(asset, candidate) +
      (asset.status === 'active' ? 0.05 : 0) +
      (isAmongCompanies && asset.type === 'equity' && !hasOtherMeaning(candidate) ? 1 : 0)
    // "Oil" is the first of the oils; of two companies neither is the first.
    if (score === bestScore && asset.type !== 'commodity') isTie = true
    if (score <= bestScore) continue
    best = asset
    bestScore = score
    isTie = false
  }
  return isTie ? null : best
}

/** Leaves out who only acts in the story, then gathers the mentions of each asset. */
function withRoles(settled: readonly Settled[]): FoundAsset[] {
  const spans = new Map<MentionedAsset, Settled[]>()
  const acting = new Set<MentionedAsset>()
  const named = { title: new Set<MentionedAsset>(), content: new Set<MentionedAsset>() }
  for (const { asset, passage } of settled) named[passage.field].add(asset)
  for (const mention of settled) {
    const { asset, passage } = mention
    if (isBystander(asset, mention, named[passage.field].size > 1)) acting.add(asset)
    else if (spans.has(asset)) spans.get(asset)?.push(mention)
    else spans.set(asset, [mention])
  }
  // Who acts in the title acts in the text below it, whatever the sentence.
  for (const asset of acting) {
    const isOnlyInContent = spans.get(asset)?.every((mention) => mention.passage.field === 'content') ?? true
    if (isOnlyInContent && named.title.has(asset)) spans.delete(asset)
  }
  const inTitle = [...spans.values()].filter((list) => list.some((mention) => mention.passage.field === 'title')).length
  return [...spans]
    .map(([asset, list]) => foundAsset(asset, list.sort(byPlace), inTitle - 1))
    .sort((a, b) => b.relevanceScore - a.relevanceScore || (a.assetKey < b.assetKey ? -1 : 1))
}

function byPlace(a: Settled, b: Settled): number {
  if (a.passage.field !== b.passage.field) return a.passage.field === 'title' ? -1 : 1
  return a.start - b.start
}

function foundAsset(asset: MentionedAsset, list: readonly Settled[], othersInTitle: number): FoundAsset {
  const mentions: Mention[] = list.map(({ passage, start, end }) => ({
    field: passage.field,
    start,
    end,
    text: passage.text.slice(start, end),
  }))
  const relevanceScore = relevanceOf(list, Math.max(0, othersInTitle))
  return { assetKey: asset.key, name: asset.name, type: asset.type, relevanceScore, mentions }
}
