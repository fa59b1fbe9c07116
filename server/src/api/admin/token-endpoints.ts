import Type, { type Static } from 'typebox'
import { mintAdminToken } from '../../admission/key.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { ApiError } from '../../model/errors.ts'
import { type AdminToken, MAIN_TOKEN, OPERATOR_SCOPES } from '../../model/operators.ts'
import { nullable, secret, text, time } from '../../model/schema.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import { OWNER_NAME } from '../../model/users.ts'
import { orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const tokenName = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z0-9][a-z0-9._@-]*$',
    description:
      'Who or what uses the token, such as ada or ci-import: lower-case letters, digits and . _ @ -; no other token has or had it',
  })

const tokenScope = () =>
  Type.Enum(OPERATOR_SCOPES, {
    description:
      'read: every GET; support: also accounts, their credits and keys; owner: everything, such as tokens, deletion, imports and sources',
  })

const TokenView = Type.Object(
  {
    name: tokenName(),
    scope: tokenScope(),
    prefix: text('First 12 characters of the token'),
    createdBy: text(`Name of the token that created it; ${MAIN_TOKEN} is the one in DATA_DIR or ADMIN_TOKEN`),
    createdAt: time('When it was created'),
    revokedAt: nullable(time('When it was revoked; null while it works')),
  },
  { description: 'A further admin token' },
)

/** Admin tokens besides the one in DATA_DIR or ADMIN_TOKEN. */
export const tokenEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator('owner'),
    method: 'POST',
    path: '/admin/tokens',
    summary: 'Create an admin token with a scope',
    description: 'Only this response contains the token.',
    body: Type.Object({ name: tokenName(), scope: tokenScope() }, { description: 'The token to create' }),
    returns: 'object',
    data: Type.Object(
      { ...TokenView.properties, token: secret('The token in full, shown only once') },
      { description: 'The new token' },
    ),
    async handle({ body, operator }, { store, clock, pepper }) {
      operator.concerns(body.name)
      const { secret, kept } = mintAdminToken(pepper)
      const token = [MAIN_TOKEN, OWNER_NAME].includes(body.name)
        ? undefined
        : await store.adminTokens.insert({ ...body, ...kept, createdBy: operator.name, createdAt: clock.now() })
      if (token === undefined) {
        throw ApiError.invalid([{ field: 'name', message: 'is or was the name of another token; choose a new one' }])
      }
      return { ...toView(token), token: secret }
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/tokens',
    summary: 'List admin tokens, newest first',
    description: `Also those that are revoked, but not the one in DATA_DIR or ADMIN_TOKEN, whose name is ${MAIN_TOKEN}.`,
    returns: 'list',
    data: TokenView,
    handle: async (_input, { store }) => (await store.adminTokens.list()).map(toView),
  }),

  endpoint({
    ...operator('owner'),
    method: 'DELETE',
    path: '/admin/tokens/:name',
    summary: 'Revoke an admin token immediately',
    params: Type.Object({ name: text('Name of the token') }),
    returns: 'object',
    data: TokenView,
    async handle({ params }, { store, clock }) {
      return toView(orNotFound(await store.adminTokens.revoke(params.name, clock.now()), 'admin token', 'name'))
    },
  }),
]

function toView(token: AdminToken): Static<typeof TokenView> {
  return {
    name: token.name,
    scope: token.scope,
    prefix: token.prefix,
    createdBy: token.createdBy,
    createdAt: isoTime(token.createdAt),
    revokedAt: isoTimeOrNull(token.revokedAt),
  }
}
