import { hash } from 'node:crypto'

/** Returns a UUID in version 5 format that depends only on the name. */
export function idOf(name: string): string {
  const hex = hash('sha1', name)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the id of a built-in record, which depends only on the arguments. */
export const stableId = (kind: string, key: string): string => idOf(`mintick-sample:${kind}:${key}`)
