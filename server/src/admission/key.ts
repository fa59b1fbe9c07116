import { createHmac, randomInt } from 'node:crypto'
import type { ApiKey, KeyRestrictions } from '../model/accounts.ts'

/** Shared public key (spec 5). */
export const DEMO_KEY = 'mtk_demo'

const PREFIX = 'mtk_'
const ADMIN_PREFIX = 'mta_'
/** Short-lived tokens of a session of the dashboard, for the API and for the operator API. */
const SESSION_PREFIX = { account: 'mts_', operator: 'mto_' } as const
const SECRET_LENGTH = 44
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretWith = (prefix: string) => new RegExp(`^${prefix}[0-9A-Za-z]{${SECRET_LENGTH}}$`)
const SECRET = secretWith(PREFIX)
const ADMIN_SECRET = secretWith(ADMIN_PREFIX)
const SESSION_TOKEN = { account: secretWith(SESSION_PREFIX.account), operator: secretWith(SESSION_PREFIX.operator) }
const BEARER = /^bearer +(\S+)$/i

/** Creates a secret: `mtk_` and 44 random characters (spec 2.3). */
export function createSecret(prefix = PREFIX): string {
  return prefix + Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
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

/** Creates an admin token: the secret, which is shown once, and its prefix and hash, which are stored. */
export function mintAdminToken(pepper: string) {
  const secret = createSecret(ADMIN_PREFIX)
  return { secret, kept: keptSecret(secret, pepper) }
}

/** Creates a token of a session: the secret, which is shown once, and its hash, which is stored. */
export function mintSessionToken(pepper: string, audience: keyof typeof SESSION_PREFIX) {
  const secret = createSecret(SESSION_PREFIX[audience])
  return { secret, hash: hashSecret(secret, pepper) }
}

export const isSessionToken = (token: string, audience: keyof typeof SESSION_PREFIX) =>
  SESSION_TOKEN[audience].test(token)

export const isAdminSecret = (token: string) => ADMIN_SECRET.test(token)

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

/** Returns the token of an Authorization header if it has the format of an API key or of a session's token for the API. */
export function bearerSecret(header: string | undefined): string | undefined {
  const token = bearerToken(header)
  return token !== undefined && (token === DEMO_KEY || SECRET.test(token) || isSessionToken(token, 'account'))
    ? token
    : undefined
}

/** Replaces API keys and tokens in a text that will be stored. */
export function redactKeys(text: string): string {
  return text.includes('mt') ? text.replaceAll(/(mt[kaso]_)[0-9A-Za-z]{5,}/g, '$1…') : text
}
