import type { CatalogueAsset } from './asset.ts'
import { coreName } from './legal-names.ts'
import { tokenize } from './tokens.ts'

/**
 * Returns the name that headlines use: for a company the first alias shorter than its name, or the name without its
 * legal form; for other assets the name.
 */
export function shortNameOf({ name, type, aliases }: Pick<CatalogueAsset, 'name' | 'type' | 'aliases'>): string {
  if (type !== 'equity') return name
  return aliases.find((alias) => alias !== '' && alias.length < name.length) ?? withoutLegalForm(name)
}

/** Keeps the spelling: "The Walt Disney Company" → Walt Disney. */
function withoutLegalForm(name: string): string {
  const tokens = tokenize(name)
  const words = tokens.map(({ possessive, norm }) => possessive ?? norm)
  const core = coreName(words)
  const first = words[0] === core[0] ? 0 : 1
  const next = tokens[first + core.length]
  return name.slice(tokens[first]?.start ?? 0, next?.start).replace(TRAILING, '') || name
}

const TRAILING = /[\s,.&(/-]+$/
