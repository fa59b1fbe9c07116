import Type from 'typebox'
import { filtersOf } from '../../http/params.ts'
import { ExportView } from '../../model/exports.ts'
import { idPath } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { describeAccount, describeUsage } from './account.ts'
import { changeAlerts, describeAlerts } from './alerts.ts'
import { describeCost } from './cost.ts'
import { describeExport } from './exports.ts'
import { changeKey, createKey, listKeys, revokeKey, rotateKey } from './keys.ts'
import { writeLog } from './request-log.ts'
import {
  AccountView,
  AlertChanges,
  AlertsView,
  ApiKeyRecord,
  ChangedAlerts,
  CostQuery,
  CostView,
  CreatedApiKey,
  KeyChanges,
  KeyRotation,
  NewApiKey,
  RequestLogQuery,
  RequestLogView,
  UsageQuery,
  UsageView,
} from './schema.ts'

/** Everything under /account is free (spec 4.5). */
const cost = { credits: 0 }

export const accountEndpoints = [
  endpoint({
    method: 'GET',
    path: '/account',
    access: 'key',
    summary: 'Get the account of this key, with its plan and balance',
    cost,
    returns: 'object',
    data: AccountView,
    handle: ({ caller }, services) => describeAccount(caller, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/usage',
    access: 'key',
    summary: 'Get the usage of the account in its current billing month or in a range of time',
    cost,
    query: UsageQuery,
    returns: 'object',
    data: UsageView,
    handle: ({ caller, query }, services) => describeUsage(caller, query, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/cost',
    access: 'key',
    summary: 'Get what a call would cost, and whether it would pass now',
    description:
      'The call is checked as if it were made, but neither run nor charged nor counted. A call that would be refused is described by error; only a path that is missing or none is answered with 400. Like every request, this one counts towards the rate limits.',
    cost,
    query: CostQuery,
    returns: 'object',
    data: CostView,
    handle: ({ caller, query, assess }, services) => describeCost(caller, query, assess, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/alerts',
    access: 'key',
    summary: 'Get how the account is told about a low balance',
    cost,
    refusesDemo: true,
    returns: 'object',
    data: AlertsView,
    handle: ({ caller }, services) => describeAlerts(caller, services),
  }),

  endpoint({
    method: 'PATCH',
    path: '/account/alerts',
    access: 'key',
    summary: 'Change how the account is told about a low balance',
    description:
      'Each fall of the balance below lowBalance is told once. The webhook is a POST request with the JSON `{id, type: "balance.low", createdAt, data: {accountId, threshold, balance}}` and the header `Mintick-Signature: t=<seconds>,v1=<hex>`, where v1 is the HMAC-SHA-256 of `<seconds>.<body>` with the secret. It is repeated for up to 21 hours until the answer has a status from 200 to 299; repetitions have the same id.',
    cost,
    refusesDemo: true,
    body: AlertChanges,
    returns: 'object',
    data: ChangedAlerts,
    handle: ({ caller, body }, services) => changeAlerts(caller, body, services),
  }),

  endpoint({
    method: 'GET',
    path: '/account/logs',
    access: 'key',
    summary: 'List the requests of this account, newest first',
    cost,
    query: RequestLogQuery,
    returns: 'offset-list',
    data: RequestLogView,
    async handle({ query, page, caller }, { store }) {
      const { id } = caller.account
      return writeLog(await store.requestLog.page(id, filtersOf(query), page.limit, page.offset))
    },
  }),

  endpoint({
    method: 'GET',
    path: '/account/exports/:requestId',
    access: 'key',
    summary: 'Get what became of a bulk export',
    description: 'Tells whether the file is complete, and its checksum. The id is the X-Request-Id of the answer.',
    cost,
    refusesDemo: true,
    params: Type.Object({ requestId: Type.String({ description: 'X-Request-Id of the export' }) }),
    returns: 'object',
    data: ExportView,
    handle: ({ caller, params }, services) => describeExport(caller, params.requestId, services),
  }),

  endpoint({
    method: 'POST',
    path: '/account/api-keys',
    access: 'key',
    summary: 'Create an API key',
    description: 'Only this response contains the full key.',
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
    summary: 'List the API keys of this account',
    cost,
    refusesDemo: true,
    returns: 'list',
    data: ApiKeyRecord,
    handle: ({ caller }, services) => listKeys(caller, services),
  }),

  endpoint({
    method: 'PATCH',
    path: '/account/api-keys/:id',
    access: 'key',
    summary: 'Change the name or the restrictions of an API key',
    description:
      'Applies before the response is sent, also to open streams and bulk exports. A restricted key can change only keys with the same restrictions or more.',
    cost,
    refusesDemo: true,
    params: idPath('Id of the API key, not its prefix'),
    body: KeyChanges,
    returns: 'object',
    data: ApiKeyRecord,
    handle: ({ caller, params, body }, services) => changeKey(caller, params.id, body, services),
  }),

  endpoint({
    method: 'POST',
    path: '/account/api-keys/:id/rotate',
    access: 'key',
    summary: 'Replace the secret of an API key',
    description:
      'Only this response contains the new secret. Both secrets are the same key, with one id, one rate and one usage, until the overlap ends. The old one stops at once if the key is rotated again or revoked.',
    cost,
    refusesDemo: true,
    params: idPath('Id of the API key, not its prefix'),
    body: KeyRotation,
    returns: 'object',
    data: CreatedApiKey,
    handle: ({ caller, params, body }, services) => rotateKey(caller, params.id, body, services),
  }),

  endpoint({
    method: 'DELETE',
    path: '/account/api-keys/:id',
    access: 'key',
    summary: 'Revoke an API key immediately',
    cost,
    refusesDemo: true,
    params: idPath('Id of the API key, not its prefix'),
    returns: 'object',
    data: ApiKeyRecord,
    handle: ({ caller, params }, services) => revokeKey(caller, params.id, services),
  }),
]
