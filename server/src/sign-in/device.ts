import { randomBytes } from 'node:crypto'
import { hashSecret } from '../admission/key.ts'

const NONCE_BYTES = 16

/** Creates the cookie of a browser that has signed in as a user. Others cannot use it for their attempts. */
export function createDevice(userId: string, pepper: string): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return `${nonce}.${macOf(nonce, userId, pepper)}`
}

/** Returns the id of a browser that has signed in as this user before. */
export function deviceOf(cookie: string | undefined, userId: string | undefined, pepper: string): string | undefined {
  const [nonce = '', mac] = cookie?.split('.') ?? []
  return userId !== undefined && mac === macOf(nonce, userId, pepper) ? nonce : undefined
}

const macOf = (nonce: string, userId: string, pepper: string) => hashSecret(`device ${nonce} ${userId}`, pepper)
