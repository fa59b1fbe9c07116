import { createHmac, randomInt } from 'node:crypto'

/** The shared public key of spec 5. */
export const DEMO_KEY = 'mtk_demo'

const PREFIX = 'mtk_'
const SECRET_LENGTH = 44
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH}}$`)
const BEARER = /^bearer +(\S+)$/i

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

/** A new key: the secret, to be shown once, and what is kept of it. */
export function mintKey(pepper: string, key: { name: string; expiresAt: number | null; createdAt: number }) {
  const secret = createSecret()
  return { secret, kept: keptKey(secret, pepper, key) }
}

export function keptKey(
  secret: string,
  pepper: string,
  key: { name: string; expiresAt: number | null; createdAt: number },
) {
  return { ...key, prefix: prefixOf(secret), hash: hashSecret(secret, pepper) }
}

/** What an Authorization header bears, or undefined when it is missing or malformed. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1]
}

/** The API key in an Authorization header, if it has the form of one. */
export function bearerSecret(header: string | undefined): string | undefined {
  const token = bearerToken(header)
  return token !== undefined && (token === DEMO_KEY || SECRET.test(token)) ? token : undefined
}

/** Takes keys out of a text that is to be kept. */
export function redactKeys(text: string): string {
  return text.includes(PREFIX) ? text.replaceAll(/mtk_[0-9A-Za-z]{5,}/g, `${PREFIX}…`) : text
}
