import { createHmac, randomInt } from 'node:crypto'
import type { ApiKey, KeyRestrictions } from '../model/accounts.ts'

/** Shared public key (spec 5). */
export const DEMO_KEY = 'mtk_demo'

const PREFIX = 'mtk_'
const SECRET_LENGTH = 44
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH}}$`)
const BEARER = /^bearer +(\S+)$/i

/** Creates a secret: `mtk_` and 44 random characters (spec 2.3). */
export function createSecret(): string {
  return PREFIX + Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

export function prefixOf(secret: string): string {
  return secret.slice(0, 12)
}

/** Returns the only form in which a key is stored. Without the pepper a stolen store cannot confirm a guessed key. */
export function hashSecret(secret: string, pepper: string): string {
  return createHmac('sha256', pepper).update(secret).digest('base64url')
}

type GivenKey = Pick<ApiKey, 'name' | 'expiresAt' | 'createdAt'> & Partial<KeyRestrictions>

/** Creates a key: the secret, which is shown once, and the record to store. */
export function mintKey(pepper: string, key: GivenKey) {
  const secret = createSecret()
  return { secret, kept: keptKey(secret, pepper, key) }
}

export function keptKey(secret: string, pepper: string, key: GivenKey) {
  return { ...key, ...keptSecret(secret, pepper) }
}

/** Creates another secret for a key, and the part of its record that the secret determines. */
export function mintSecret(pepper: string) {
  const secret = createSecret()
  return { secret, kept: keptSecret(secret, pepper) }
}

function keptSecret(secret: string, pepper: string) {
  return { prefix: prefixOf(secret), hash: hashSecret(secret, pepper) }
}

/** Returns the token of an Authorization header, or undefined if the header is missing or malformed. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1]
}

/** Returns the token of an Authorization header if it has the format of an API key. */
export function bearerSecret(header: string | undefined): string | undefined {
  const token = bearerToken(header)
  return token !== undefined && (token === DEMO_KEY || SECRET.test(token)) ? token : undefined
}

/** Replaces API keys in a text that will be stored. */
export function redactKeys(text: string): string {
  return text.includes(PREFIX) ? text.replaceAll(/mtk_[0-9A-Za-z]{5,}/g, `${PREFIX}…`) : text
}
