import { type EntryText, LONGEST_READ } from '../text.ts'
import type { CatalogueAsset, FoundAsset, Mention } from './asset.ts'
import { isBystander } from './bystanders.ts'
import { findCandidates } from './candidates.ts'
import { disambiguate, type LinkedMention } from './disambiguate.ts'
import { indexNames, type NameIndex } from './name-index.ts'
import { passagesOf } from './passage.ts'
import { relevanceOf } from './relevance.ts'
import { indexSymbols, type SymbolIndex } from './symbol-index.ts'

/** Finds the assets of one catalogue in texts. A changed catalogue needs a new matcher. */
export class AssetMatcher {
  readonly #names: NameIndex
  readonly #symbols: SymbolIndex

  constructor(assets: readonly CatalogueAsset[]) {
    this.#names = indexNames(assets)
    this.#symbols = indexSymbols(assets)
  }

  /** Returns the assets an entry is about, the most relevant first. */
  find(text: EntryText, language: string | null = null): FoundAsset[] {
    const isForeign = language !== null && language !== 'en'
    const candidates = [
      ...passagesOf('title', text.title.slice(0, LONGEST_READ), isForeign),
      ...passagesOf('content', text.content.slice(0, LONGEST_READ), isForeign),
    ].flatMap((passage) => findCandidates(passage, this.#names, this.#symbols))
    return groupByAsset(disambiguate(candidates))
  }
}

/** Drops bystanders, then groups the mentions by asset. */
function groupByAsset(linked: readonly LinkedMention[]): FoundAsset[] {
  const mentionsByAsset = new Map<CatalogueAsset, LinkedMention[]>()
  const bystanders = new Set<CatalogueAsset>()
  const named = { title: new Set<CatalogueAsset>(), content: new Set<CatalogueAsset>() }
  for (const { asset, passage } of linked) named[passage.field].add(asset)
  for (const mention of linked) {
    const { asset, passage } = mention
    if (isBystander(asset, mention, named[passage.field].size > 1)) bystanders.add(asset)
    else if (mentionsByAsset.has(asset)) mentionsByAsset.get(asset)?.push(mention)
    else mentionsByAsset.set(asset, [mention])
  }
  // A bystander in the title is one in the content too.
  for (const asset of bystanders) {
    const isOnlyInContent = mentionsByAsset.get(asset)?.every((mention) => mention.passage.field === 'content') ?? true
    if (isOnlyInContent && named.title.has(asset)) mentionsByAsset.delete(asset)
  }
  const inTitle = [...mentionsByAsset.values()].filter((list) =>
    list.some((mention) => mention.passage.field === 'title'),
  ).length
  return [...mentionsByAsset]
    .map(([asset, list]) => foundAsset(asset, list.sort(byPosition), inTitle - 1))
    .sort((a, b) => b.relevanceScore - a.relevanceScore || (a.assetKey < b.assetKey ? -1 : 1))
}

function byPosition(a: LinkedMention, b: LinkedMention): number {
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
