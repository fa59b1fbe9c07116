import Type from 'typebox'
import { type CatalogueName, loadRecords } from '../../catalogue/load.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { endpoint, type Services } from '../services.ts'

const REST = 'Omitted fields keep their values. `index` counts from 0.'

/** Endpoints that load the operator's assets, topics and publishers. */
export const catalogueEndpoints: readonly AnyEndpoint<Services>[] = [
  load(
    'assets',
    'Add or change assets by key',
    `A new asset needs name and type. aliases are the names that identify it in entries. ${REST}`,
  ),
  load(
    'topics',
    'Add or change topics by slug',
    `A new topic needs name; its parent must exist or come before it. If a topic gets another parent, its descendants move with it. terms {sure, likely, hint, not, assets, fallback} replace the built-in terms; null restores them. ${REST}`,
  ),
  load(
    'publishers',
    'Add or change publishers by slug',
    `A new publisher needs name and domain. A new countryCode also applies to its existing entries. ${REST}`,
  ),
]

function load(catalogue: CatalogueName, summary: string, description: string): AnyEndpoint<Services> {
  return endpoint({
    access: 'operator',
    cost: { credits: 0 },
    method: 'POST',
    path: `/admin/${catalogue}`,
    summary,
    description,
    body: Type.Object({ [catalogue]: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 500 }) }),
    returns: 'object',
    data: Type.Object({
      added: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      refused: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() })),
    }),
    handle: ({ body }, { store, clock }) => loadRecords(store, catalogue, body[catalogue] ?? [], clock.now()),
  })
}
