import { createHmac, randomInt } from 'node:crypto'

/** The shared public key of spec 5. */
export const DEMO_KEY = 'mtk_demo'

const PREFIX = 'mtk_'
const SECRET_LENGTH = 44
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BEARER = /^bearer +(mtk_(?:[0-9A-Za-z]{44}|demo))$/i

/** Spec 2.3: `mtk_` and 44 random characters. */
export function createSecret(): string {
  return PREFIX + Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

export function prefixOf(secret: string): string {
  return secret.slice(0, 12)
}

/** Keys are kept only as this hash; without the pepper a stolen store does not even tell a guessed key. */
export function hashSecret(secret: string, pepper: string): string {
  return createHmac('sha256', pepper).update(secret).digest('base64url')
}

/** The secret in an Authorization header, or undefined when the header is missing or malformed. */
export function bearerSecret(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1]
}
