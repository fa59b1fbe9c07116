/** Returns the known name that is nearest to a mistyped one, if one is near. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= plainOf(name).length / 3 ? best.candidate : undefined
}

/** Returns the number of letters in which two names differ. */
export const distanceOf = (one: string, other: string): number => editDistance(plainOf(one), plainOf(other))

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
