const MAX_NAMES = 5
const MAX_NAME_LENGTH = 40

/**
 * Returns the value of X-Ignored-Parameters: each name, with the parameter that was probably meant, as a list of
 * RFC 9651: `"assetkey";nearest="assetKey", "foo"`.
 */
export function ignoredParamsHeader(ignored: readonly string[], known: readonly string[]): string {
  return ignored
    .slice(0, MAX_NAMES)
    .map((given) => {
      const name = given.slice(0, MAX_NAME_LENGTH)
      const nearest = known.includes(name) ? undefined : findNearest(name, known)
      return `"${visible(name)}"${nearest === undefined ? '' : `;nearest="${nearest}"`}`
    })
    .join(', ')
}

/** Percent-encodes characters that a quoted string in a header cannot contain. */
function visible(name: string): string {
  return name.toWellFormed().replaceAll(/[^\x20-\x7e]|["\\%]/gu, encodeURIComponent)
}

function findNearest(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name)
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(plain, plainOf(candidate)) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best !== undefined && best.distance <= plain.length / 3 ? best.candidate : undefined
}

/** `asset_key`, `asset-key` and `AssetKey` all mean `assetKey`. */
const plainOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns the number of letters to insert, delete or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
