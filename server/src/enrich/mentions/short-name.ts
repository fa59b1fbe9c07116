import type { CatalogueAsset } from './asset.ts'
import { coreName } from './legal-names.ts'
import { tokenize } from './tokens.ts'

/**
 * What a headline calls an asset: of a company the first alias that is shorter than its name, or else the name without its
 * legal form; of anything else the name.
 */
export function shortNameOf({ name, type, aliases }: Pick<CatalogueAsset, 'name' | 'type' | 'aliases'>): string {
  if (type !== 'equity') return name
  return aliases.find((alias) => alias !== '' && alias.length < name.length) ?? withoutLegalForm(name)
}

/** As it is written: "The Walt Disney Company" → Walt Disney. */
function withoutLegalForm(name: string): string {
  const tokens = tokenize(name)
  const words = tokens.map(({ possessive, norm }) => possessive ?? norm)
  const stem = coreName(words)
  const first = words[0] === stem[0] ? 0 : 1
  const next = tokens[first + stem.length]
  return name.slice(tokens[first]?.start ?? 0, next?.start).replace(TRAILING, '') || name
}

const TRAILING = /[\s,.&(/-]+$/
