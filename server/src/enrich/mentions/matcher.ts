import { type EntryText, LONGEST_READ } from '../text.ts'
import type { CatalogueAsset, FoundAsset, Mention } from './asset.ts'
import { isBystander } from './bystanders.ts'
import { findCandidates } from './candidates.ts'
import { disambiguate, type LinkedMention } from './disambiguate.ts'
import { indexNames, type NameIndex } from './name-index.ts'
import { passagesOf } from './passage.ts'
import { relevanceOf } from './relevance.ts'
import { indexSymbols, type SymbolIndex } from './symbol-index.ts'

/** Finds the assets of one catalogue in texts. Built once; a change of the catalogue needs a new one. */
export class AssetMatcher {
  readonly #names: NameIndex
  readonly #symbols: SymbolIndex

  constructor(assets: readonly CatalogueAsset[]) {
    this.#names = indexNames(assets)
    this.#symbols = indexSymbols(assets)
  }

  /** The assets an entry is about, the most relevant first. */
  find(text: EntryText): FoundAsset[] {
    const candidates = [
      ...passagesOf('title', text.title.slice(0, LONGEST_READ)),
      ...passagesOf('content', text.content.slice(0, LONGEST_READ)),
    ].flatMap((passage) => findCandidates(passage, this.#names, this.#symbols))
    return withRoles(disambiguate(candidates))
  }
}

/** Leaves out who only acts in the story, then gathers the mentions of each asset. */
function withRoles(settled: readonly LinkedMention[]): FoundAsset[] {
  const spans = new Map<CatalogueAsset, LinkedMention[]>()
  const acting = new Set<CatalogueAsset>()
  const named = { title: new Set<CatalogueAsset>(), content: new Set<CatalogueAsset>() }
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

function byPlace(a: LinkedMention, b: LinkedMention): number {
  if (a.passage.field !== b.passage.field) return a.passage.field === 'title' ? -1 : 1
  return a.start - b.start
}

function foundAsset(asset: CatalogueAsset, list: readonly LinkedMention[], othersInTitle: number): FoundAsset {
  const mentions: Mention[] = list.map(({ passage, start, end }) => ({
    field: passage.field,
    start,
    end,
    text: passage.text.slice(start, end),
  }))
  const relevanceScore = relevanceOf(list, Math.max(0, othersInTitle))
  return { assetKey: asset.key, name: asset.name, type: asset.type, relevanceScore, mentions }
}
