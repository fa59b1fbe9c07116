import { type KeyRestrictions, SCOPES, type Scope } from './accounts.ts'
import { ApiError } from './errors.ts'
import { Networks } from './networks.ts'

/** Scopes by the first part of a path; all other paths are data. */
const SCOPE_OF_AREA: Partial<Record<string, Scope>> = { account: 'account', billing: 'billing' }

/** Returns the scope that a key needs for an endpoint. */
export function scopeOfPath(path: string): Scope {
  return SCOPE_OF_AREA[path.split('/')[1] ?? ''] ?? 'data'
}

interface KeyUse {
  /** Undefined if the request matches no endpoint. */
  scope: Scope | undefined
  /** Address of the client; undefined if only another instance knows it. */
  address: string | undefined
}

/** Returns the refusal if the key may not be used so. */
export function restrictionError(key: KeyRestrictions, { scope, address }: KeyUse): ApiError | undefined {
  if (key.allowedAddresses !== null && address !== undefined && !new Networks(key.allowedAddresses).has(address)) {
    return new ApiError('FORBIDDEN', `This API key may not be used from the address ${address}`)
  }
  if (key.scopes !== null && scope !== undefined && !key.scopes.includes(scope)) {
    return new ApiError('FORBIDDEN', `This API key lacks the scope ${scope}`)
  }
  return undefined
}

/** Returns whether everything that `inner` allows is allowed by `outer`. */
export function isWithin(inner: KeyRestrictions, outer: KeyRestrictions): boolean {
  const { scopes, allowedAddresses } = outer
  if (scopes !== null && !(inner.scopes ?? SCOPES).every((scope) => scopes.includes(scope))) return false
  if (allowedAddresses === null) return true
  const networks = new Networks(allowedAddresses)
  return inner.allowedAddresses?.every((text) => networks.includes(text)) ?? false
}
