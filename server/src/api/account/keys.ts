import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { lacksFeature } from '../../admission/gate.ts'
import { mintKey, mintSecret } from '../../admission/key.ts'
import { type ApiKey, isUsable, type KeyRestrictions, withSecret } from '../../model/accounts.ts'
import { ApiError } from '../../model/errors.ts'
import { parseInstant } from '../../model/instant.ts'
import { isWithin } from '../../model/key-restrictions.ts'
import { parseNetwork } from '../../model/networks.ts'
import { HOUR, isoTime, isoTimeOrNull } from '../../model/time.ts'
import { FEATURES } from '../../plans/plans.ts'
import type { Services } from '../services.ts'
import {
  type ApiKeyRecord,
  type CreatedApiKey,
  DEFAULT_OVERLAP_HOURS,
  type KeyChanges,
  type KeyRotation,
  type NewApiKey,
} from './schema.ts'

export async function createKey(
  caller: Caller,
  { name, expiresAt, scopes = null, allowedAddresses = null }: Static<typeof NewApiKey>,
  { store, clock, pepper }: Services,
): Promise<Static<typeof CreatedApiKey>> {
  const now = clock.now()
  checkName(name)
  checkAddresses(allowedAddresses)
  checkReach(caller, { scopes, allowedAddresses })
  const expiry = readExpiry(expiresAt ?? null, now)
  if (expiry !== null && !FEATURES.keyExpiration.allows(caller.plan)) throw lacksFeature(caller, 'keyExpiration')
  const { secret, kept } = mintKey(pepper, { name, expiresAt: expiry, createdAt: now, scopes, allowedAddresses })
  const key = await store.keys.insert({ ...kept, accountId: caller.account.id }, caller.plan.maxApiKeys)
  if (key === undefined) {
    throw new ApiError(
      'FORBIDDEN',
      `The ${caller.plan.name} plan allows ${caller.plan.maxApiKeys} active keys; revoke one or change the plan`,
    )
  }
  return { apiKey: secret, ...toRecord(key, now) }
}

export async function listKeys(
  { account }: Pick<Caller, 'account'>,
  { store, clock }: Services,
): Promise<Static<typeof ApiKeyRecord>[]> {
  const keys = await store.keys.list(account.id)
  return keys.map((key) => toRecord(key, clock.now()))
}

/** Changes a key. Before the response is sent, the change applies to requests and has ended the streams that it forbids. */
export async function changeKey(
  caller: Caller,
  id: string,
  change: Static<typeof KeyChanges>,
  { store, clock, admission }: Services,
): Promise<Static<typeof ApiKeyRecord>> {
  if (change.name !== undefined) checkName(change.name)
  checkAddresses(change.allowedAddresses ?? null)
  const key = await store.keys.change(caller.account.id, id, (current) => {
    checkReach(caller, current)
    checkReach(caller, { ...current, ...change })
    return change
  })
  if (key === undefined) throw noSuchKey()
  await admission.announce(caller.account.id)
  return toRecord(key, clock.now())
}

/** Replaces the secret of a key. The old secret works until the end of the overlap; the one before it stops at once. */
export async function rotateKey(
  caller: Caller,
  id: string,
  { overlapHours = DEFAULT_OVERLAP_HOURS }: Static<typeof KeyRotation>,
  { store, clock, admission, pepper }: Services,
): Promise<Static<typeof CreatedApiKey>> {
  const now = clock.now()
  const { secret, kept } = mintSecret(pepper)
  const key = await store.keys.change(caller.account.id, id, (current) => {
    checkReach(caller, current)
    if (!isUsable(current, now)) {
      throw new ApiError('BAD_REQUEST', 'This API key is not active, so it cannot be rotated; create another one')
    }
    return { secret: { ...kept, overlapEndsAt: overlapHours === 0 ? null : now + overlapHours * HOUR } }
  })
  if (key === undefined) throw noSuchKey()
  await admission.announce(caller.account.id)
  return { apiKey: secret, ...toRecord(key, now) }
}

/** Revokes a key. Before the response is sent, the key is refused and its streams are closed. */
export async function revokeKey(
  { account }: Pick<Caller, 'account'>,
  id: string,
  { store, clock, admission }: Services,
): Promise<Static<typeof ApiKeyRecord>> {
  const key = await store.keys.revoke(account.id, id)
  if (key === undefined) throw noSuchKey()
  await admission.announce(account.id)
  return toRecord(key, clock.now())
}

const noSuchKey = () => new ApiError('NOT_FOUND', 'This account has no API key with this id')

function checkName(name: string): void {
  if (name.trim() === '') throw ApiError.invalid([{ field: 'name', message: 'must not be empty' }])
}

function checkAddresses(given: readonly string[] | null): void {
  const wrong = (given ?? []).flatMap((text, place) => (parseNetwork(text) === undefined ? [place] : []))
  if (wrong.length === 0) return
  const message = 'must be an address or a network such as 192.0.2.7 or 2001:db8::/32'
  throw ApiError.invalid(wrong.map((place) => ({ field: `allowedAddresses.${place}`, message })))
}

/** Refuses to hand out more than the calling key has itself: a restricted key must not free itself. */
function checkReach(caller: Caller, key: KeyRestrictions): void {
  if (isWithin(key, caller.key)) return
  throw new ApiError(
    'FORBIDDEN',
    'The calling key is restricted and can manage only keys with the same restrictions or more',
  )
}

function readExpiry(text: string | null, now: number): number | null {
  if (text === null) return null
  const expiry = parseInstant(text)
  if (expiry === undefined) throw ApiError.invalid([{ field: 'expiresAt', message: 'must be an ISO 8601 time' }])
  if (expiry <= now) throw ApiError.invalid([{ field: 'expiresAt', message: 'must be in the future' }])
  return expiry
}

function toRecord(key: ApiKey, now: number): Static<typeof ApiKeyRecord> {
  const old = withSecret(key, key.secretNumber - 1)
  return {
    id: key.id,
    name: key.name,
    keyPrefix: key.prefix,
    isActive: isUsable(key, now),
    ...(key.inactiveReason === 'plan_limit' && { inactiveReason: key.inactiveReason }),
    expiresAt: isoTimeOrNull(key.expiresAt),
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
    createdAt: isoTime(key.createdAt),
    ...(key.scopes !== null && { scopes: [...key.scopes] }),
    ...(key.allowedAddresses !== null && { allowedAddresses: [...key.allowedAddresses] }),
    ...(isUsable(old, now) && old.expiresAt !== null && { oldSecretExpiresAt: isoTime(old.expiresAt) }),
  }
}
