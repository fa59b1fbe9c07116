import Type from 'typebox'
import { filtersOf } from '../../http/params.ts'
import { isoTime } from '../../model/time.ts'
import { endpoint } from '../services.ts'
import { describeAccount, describeUsage } from './account.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { Account, ApiKeyRecord, CreatedApiKey, NewApiKey, RequestLog, RequestLogQuery, Usage } from './schema.ts'

/** Everything under /account is free (spec 4.5). */
const cost = { credits: 0 }

export const accountEndpoints = [
  endpoint({
    method: 'GET',
    path: '/account',
    access: 'key',
    summary: 'The account of this key, with its plan and balance',
    cost,
    returns: 'object',
    data: Account,
    handle: ({ caller }, services) => describeAccount(caller, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/usage',
    access: 'key',
    summary: 'What the account has used in its current period',
    cost,
    returns: 'object',
    data: Usage,
    handle: ({ caller }, services) => describeUsage(caller, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/logs',
    access: 'key',
    summary: 'The calls of this account, newest first',
    cost,
    query: RequestLogQuery,
    returns: 'offset-list',
    data: RequestLog,
    async handle({ query, page, caller }, { store }) {
      const { id } = caller.account
      const { data, totalCount } = await store.requestLog.page(id, filtersOf(query), page.limit, page.offset)
      return {
        data: data.map(({ credits, createdAt, ...call }) => ({
          ...call,
          requestId: call.id,
          creditsCharged: credits,
          createdAt: isoTime(createdAt),
        })),
        totalCount,
      }
    },
  }),

  endpoint({
    method: 'POST',
    path: '/account/api-keys',
    access: 'key',
    summary: 'Create an API key',
    description: 'The full key is in this answer and nowhere else.',
    cost,
    refusesDemo: true,
    body: NewApiKey,
    returns: 'object',
    data: CreatedApiKey,
    handle: ({ caller, body }, services) => createKey(caller, body, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/api-keys',
    access: 'key',
    summary: 'The API keys of this account',
    cost,
    refusesDemo: true,
    returns: 'list',
    data: ApiKeyRecord,
    handle: ({ caller }, services) => listKeys(caller, services),
  }),

  endpoint({
    method: 'DELETE',
    path: '/account/api-keys/:id',
    access: 'key',
    summary: 'Revoke an API key at once',
    cost,
    refusesDemo: true,
    params: Type.Object({ id: Type.String() }),
    returns: 'object',
    data: ApiKeyRecord,
    handle: ({ caller, params }, services) => revokeKey(caller, params.id, services),
  }),
]
