import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { lacksFeature } from '../../admission/gate.ts'
import { mintKey } from '../../admission/key.ts'
import { type ApiKey, isUsable } from '../../model/accounts.ts'
import { ApiError } from '../../model/errors.ts'
import { parseInstant } from '../../model/instant.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import { FEATURES } from '../../plans/plans.ts'
import type { Services } from '../services.ts'
import type { ApiKeyRecord, CreatedApiKey, NewApiKey } from './schema.ts'

export async function createKey(
  caller: Caller,
  { name, expiresAt }: Static<typeof NewApiKey>,
  { store, clock, pepper }: Services,
): Promise<Static<typeof CreatedApiKey>> {
  const now = clock.now()
  if (name.trim() === '') throw ApiError.invalid([{ field: 'name', message: 'must not be empty' }])
  const expiry = readExpiry(expiresAt ?? null, now)
  if (expiry !== null && !FEATURES.keyExpiration.allows(caller.plan)) throw lacksFeature(caller, 'keyExpiration')
  const { secret, kept } = mintKey(pepper, { name, expiresAt: expiry, createdAt: now })
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

/** Revokes a key. Before the response is sent, the key is refused and its streams are closed. */
export async function revokeKey(
  { account }: Pick<Caller, 'account'>,
  id: string,
  { store, clock, bus }: Services,
): Promise<Static<typeof ApiKeyRecord>> {
  const key = await store.keys.revoke(account.id, id)
  if (key === undefined) throw new ApiError('NOT_FOUND', 'This account has no API key with this id')
  await bus.publish('accounts', account.id)
  return toRecord(key, clock.now())
}

function readExpiry(text: string | null, now: number): number | null {
  if (text === null) return null
  const expiry = parseInstant(text)
  if (expiry === undefined) throw ApiError.invalid([{ field: 'expiresAt', message: 'must be an ISO 8601 time' }])
  if (expiry <= now) throw ApiError.invalid([{ field: 'expiresAt', message: 'must be in the future' }])
  return expiry
}

function toRecord(key: ApiKey, now: number): Static<typeof ApiKeyRecord> {
  return {
    id: key.id,
    name: key.name,
    keyPrefix: key.prefix,
    isActive: isUsable(key, now),
    ...(key.inactiveReason === 'plan_limit' && { inactiveReason: key.inactiveReason }),
    expiresAt: isoTimeOrNull(key.expiresAt),
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
    createdAt: isoTime(key.createdAt),
  }
}
