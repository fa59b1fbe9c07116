import { findNearest } from './nearest.ts'

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
