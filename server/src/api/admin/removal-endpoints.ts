import Type from 'typebox'
import { withAccountLease } from '../../billing/account-lease.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import * as param from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { id, nullable, text, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const records = (description: string) =>
  Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: `${description}, as stored` })

const ExportView = Type.Object(
  {
    account: record('The account, as stored'),
    users: records('Who signs in to the dashboard for it, without passwords'),
    sessions: records('Their sessions'),
    apiKeys: records('Its API keys, without the keys themselves'),
    subscriptions: records('Its subscriptions'),
    checkouts: records('Its checkouts'),
    purchases: records('Its purchases'),
    reversals: records('Refunds and disputes of its purchases'),
    lots: records('Its credits by origin'),
    usage: records('Its usage per day, endpoint and key'),
    streams: records('Its open streams'),
    bulkExports: records('Its bulk exports'),
    balanceAlerts: records('Its threshold for the balance, without the secret of its webhook'),
    alertDeliveries: records('Messages about its balance that are not delivered yet'),
    idempotentRequests: records('Its requests with an Idempotency-Key of the last day'),
    auditTrail: records('What operators did with it'),
    transfers: records('Changes of its balance'),
    meteredCharges: records('Charges for its streams and exports'),
    requests: records('Its request log'),
    next: nullable(
      text('Send it as from to get the next part, whose lists continue these; null if this is the last one'),
    ),
  },
  { description: 'Everything that is stored about an account' },
)

const OBSTACLES = {
  subscription:
    'This account has a subscription; cancel it at the payment processor and delete the account once it has ended',
  checkout:
    'A checkout of this account is open; delete the account once it is paid or has expired, after a day at most',
}

/** Endpoints for accounts whose owners leave. */
export const removalEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator('read'),
    isAudited: true,
    method: 'GET',
    path: '/admin/accounts/:id/export',
    summary: 'Get everything that is stored about an account',
    description:
      'Accounts with a long request log are exported in parts: repeat the request with from until next is null.',
    params: idPath('Id of the account'),
    query: Type.Object({ from: param.text('next of the previous part; by default the first part') }),
    returns: 'object',
    data: ExportView,
    async handle({ params, query }, { store, admission }) {
      // Requests that were answered before are part of it.
      await admission.requestWriter.drain()
      try {
        const found = orNotFound(await store.exports.part(params.id.toLowerCase(), query.from), 'account')
        return { account: found.account, ...found.lists, next: found.next }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        throw ApiError.invalid([{ field: 'from', message: 'must be the next of another part' }])
      }
    },
  }),

  endpoint({
    ...operator('owner'),
    method: 'DELETE',
    path: '/admin/accounts/:id',
    summary: 'Delete an account: remove what identifies its owner and keep its ledger',
    description:
      'Removes email, name, users with their sessions, names and addresses of keys, alerts, and paths and queries in the request log; revokes all keys and ends its streams. Transfers, charges and usage stay, so that all sums agree. It cannot be undone: export the account first. Refused while the account has a subscription or an open checkout. The customer at the payment processor is deleted last; the processor keeps the records of its payments. Repeat the request if it fails.',
    params: idPath('Id of the account'),
    returns: 'object',
    data: Type.Object(
      { id: id('Id of the account'), deletedAt: time('When it was deleted') },
      { description: 'The deleted account' },
    ),
    async handle({ params }, { store, clock, admission, billing }) {
      const account = orNotFound(await store.accounts.find(params.id), 'account')
      if (account.isDemo) throw new ApiError('FORBIDDEN', 'The demo account cannot be deleted; suspend it instead')
      // The lease keeps the account from subscribing meanwhile.
      const deletion = await withAccountLease(store, account.id, () => store.removal.delete(account.id, clock.now()))
      const deleted = orNotFound(deletion, 'account')
      if ('refusedBy' in deleted) throw new ApiError('BAD_REQUEST', OBSTACLES[deleted.refusedBy])
      await admission.announce(account.id)
      await admission.requestWriter.drain()
      await store.removal.clearLogs(clock.now())
      if (account.customerId !== null) await billing?.processor.deleteCustomer(account.customerId)
      return { id: account.id, deletedAt: isoTime(deleted.deletedAt) }
    },
  }),
]
