import { createHash } from 'node:crypto'

/** A UUID (version 5 shape) that depends on nothing but the name. */
export function idOf(name: string): string {
  const hex = createHash('sha1').update(name).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the id of a record that ships with Mintick: it depends on nothing but the arguments. */
export const stableId = (kind: string, key: string): string => idOf(`mintick-sample:${kind}:${key}`)
