import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { hashSecret } from '../admission/key.ts'
import type { User } from '../model/users.ts'
import type { Proof } from '../store/users/users.ts'
import { base32, totpStep } from './totp.ts'

const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
const ISSUER = 'Mintick'
const [NONCE_BYTES, MAC_BYTES] = [12, 16]

/** Secrets, codes and recovery codes of second factors. */
export class SecondFactor {
  readonly #pepper: string
  readonly #key: Buffer

  constructor(pepper: string) {
    this.#pepper = pepper
    this.#key = createHmac('sha256', pepper).update('second factors').digest()
  }

  /** Creates a secret: as the user sees it, the address of its QR code, and encrypted for the store. */
  create({ email }: User): { secret: string; uri: string; kept: string } {
    const bytes = randomBytes(SECRET_BYTES)
    const secret = base32(bytes)
    const label = encodeURIComponent(`${ISSUER}:${email ?? 'owner'}`)
    const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${ISSUER}&algorithm=SHA1&digits=6&period=30`
    return { secret, uri, kept: this.#encrypt(bytes) }
  }

  /** Returns the time step of a right code; it may have been used before. */
  stepOf({ totpSecret }: User, code: string, now: number): number | undefined {
    return totpSecret === null ? undefined : totpStep(this.#decrypt(totpSecret), withoutSpaces(code), now)
  }

  /** Returns the proof that a code is right, or undefined if it is wrong. The store checks recovery codes. */
  proofOf(user: User, code: string, now: number): Proof | undefined {
    if (!/^\d{6}$/.test(withoutSpaces(code))) return { codeHash: this.#hashOf(user, code) }
    const step = this.stepOf(user, code, now)
    return step === undefined ? undefined : { step }
  }

  /** Creates recovery codes, each for one sign-in without the app. */
  createRecoveryCodes(user: User): { codes: string[]; hashes: string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, () => {
      const text = base32(randomBytes(RECOVERY_BYTES)).toLowerCase()
      return (text.match(/.{4}/g) ?? []).join('-')
    })
    return { codes, hashes: codes.map((code) => this.#hashOf(user, code)) }
  }

  #hashOf({ id }: User, code: string): string {
    return hashSecret(`${id} ${withoutSpaces(code).replaceAll('-', '').toLowerCase()}`, this.#pepper)
  }

  /** A stolen store alone does not reveal the secrets. */
  #encrypt(bytes: Buffer): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
  }

  #decrypt(kept: string): Buffer {
    const bytes = Buffer.from(kept, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + MAC_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + MAC_BYTES)), decipher.final()])
  }
}

const withoutSpaces = (code: string) => code.replaceAll(/\s/g, '')
