import type { CatalogueAsset } from './asset.ts'
import type { MentionCandidate } from './candidates.ts'
import {
  contextScore,
  continuesName,
  endsName,
  hasOtherMeaning,
  isAboutBusiness,
  isCompound,
  isForeignInitials,
  isFundOf,
  isPerson,
  isPrefixed,
  MIN_CONTEXT,
} from './context.ts'
import type { Name } from './name-index.ts'
import type { Passage } from './passage.ts'

/** A candidate linked to an asset. */
export interface LinkedMention extends MentionCandidate {
  asset: CatalogueAsset
}

/** Links candidates to assets. Ambiguous ones are decided by sure mentions of the same asset, else by context. */
export function disambiguate(candidates: readonly MentionCandidate[]): LinkedMention[] {
  const sure = new Set<CatalogueAsset>()
  const linked: LinkedMention[] = []
  const open: MentionCandidate[] = []
  for (const [index, candidate] of candidates.entries()) {
    const named = tickerAfterName(candidates[index - 1], candidate) ?? tickerAfterName(candidate, candidates[index + 1])
    if (named !== null) {
      sure.add(named)
      linked.push({ ...candidate, asset: named })
      continue
    }
    const asset = candidate.assets.length === 1 ? candidate.assets[0] : undefined
    if (candidate.name !== null && isPartOfOther(candidate, candidate.name)) continue
    if (asset === undefined || !candidate.isSure) open.push(candidate)
    else if (candidate.name === null || !hasOtherMeaning(candidate)) {
      sure.add(asset)
      linked.push({ ...candidate, asset })
    }
  }
  if (open.length === 0) return linked
  const companyTokens = new Set(
    linked
      .filter(({ asset }) => asset.type === 'equity')
      .flatMap(({ passage, first, last }) => [tokenKey(passage, first), tokenKey(passage, last)]),
  )
  for (const candidate of open) {
    const asset = choose(candidate, sure, isBesideCompany(candidate, companyTokens))
    if (asset !== null) linked.push({ ...candidate, asset })
  }
  return linked
}

/** Returns the asset of a name and a ticker side by side, which confirm each other: "Shell (NYSE: SHEL)". */
function tickerAfterName(
  name: MentionCandidate | undefined,
  ticker: MentionCandidate | undefined,
): CatalogueAsset | null {
  if (name === undefined || ticker === undefined || name.name === null || ticker.name !== null) return null
  if (name.passage !== ticker.passage || ticker.first - name.last > 2) return null
  return ticker.assets.find((asset) => name.assets.includes(asset)) ?? null
}

/** Reports whether the words are part of the name of a person, a fund or another company. */
function isPartOfOther(candidate: MentionCandidate, name: Name): boolean {
  if (name.assets[0]?.type === 'equity' && isFundOf(candidate)) return true
  if (isForeignInitials(candidate, name.assets[0]?.type ?? 'other')) return true
  return isPerson(candidate) || isPrefixed(candidate) || endsName(candidate, name) || continuesName(candidate, name)
}

/** Reports whether a candidate is next to a company in a list: "Amazon, Target and Walmart". */
function isBesideCompany({ passage, first, last }: MentionCandidate, companies: ReadonlySet<string>): boolean {
  const { tokens, text } = passage
  const before = tokens[first - 1]
  const after = tokens[last + 1]
  if (before?.norm === 'and' && companies.has(tokenKey(passage, first - 2))) return true
  if (after?.norm === 'and' && companies.has(tokenKey(passage, last + 2))) return true
  const start = tokens[first]?.start ?? 0
  const end = tokens[last]?.end ?? 0
  if (companies.has(tokenKey(passage, first - 1)) && text.slice(start - 2, start) === ', ') return true
  return companies.has(tokenKey(passage, last + 1)) && text.slice(end, end + 2) === ', '
}

function tokenKey(passage: Passage, index: number): string {
  return `${passage.field} ${index}`
}

/** The context that makes an ordinary word name a company few texts are about, in a text without figures. */
const RARE_CONTEXT = 1.5

function choose(
  candidate: MentionCandidate,
  sure: ReadonlySet<CatalogueAsset>,
  isAmongCompanies: boolean,
): CatalogueAsset | null {
  const known = candidate.assets.filter((asset) => sure.has(asset))
  if (known.length === 1 && !hasOtherMeaning(candidate) && !isCompound(candidate)) return known[0] ?? null
  // A ticker on another exchange, or initials with another meaning.
  if (candidate.name === null ? !candidate.isSure : candidate.name.isAbbreviation) return null
  const isWeak = candidate.name?.isWeak ?? false
  let best: CatalogueAsset | null = null
  const isObscure = candidate.name?.isObscure ?? false
  const isUnlikely = isWeak && isObscure && (candidate.passage.isForeign || !isAboutBusiness(candidate))
  let bestScore = isUnlikely ? RARE_CONTEXT : isWeak ? MIN_CONTEXT - 0.001 : 0
  let isTie = false
  for (const asset of candidate.assets) {
    const score =
      contextScore(asset, candidate) +
      (asset.status === 'active' ? 0.05 : 0) +
      (isAmongCompanies && asset.type === 'equity' && !hasOtherMeaning(candidate) ? 1 : 0)
    // "Oil" means the first of several oils; two companies with one name are a tie.
    if (score === bestScore && asset.type !== 'commodity') isTie = true
    if (score <= bestScore) continue
    best = asset
    bestScore = score
    isTie = false
  }
  return isTie ? null : best
}
