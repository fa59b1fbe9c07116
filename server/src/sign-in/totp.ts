import { createHmac } from 'node:crypto'
import { SECOND } from '../model/time.ts'

const STEP_MS = 30 * SECOND
const DIGITS = 6
/** Steps before and after the current one whose codes are accepted, for clocks that differ. */
const TOLERANCE = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code of a time step (RFC 6238 with SHA-1 and 30 seconds, which every authenticator app supports). */
export function totpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** Returns the time step of a code, if it is one of the current codes. */
export function totpStep(secret: Buffer, code: string, now: number): number | undefined {
  const current = Math.floor(now / STEP_MS)
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step += 1) {
    if (totpCode(secret, step) === code) return step
  }
  return undefined
}

/** Encodes bytes in base32 (RFC 4648) without padding, as authenticator apps expect a secret. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
