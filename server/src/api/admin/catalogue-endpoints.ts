import Type from 'typebox'
import { type CatalogueName, loadRecords } from '../../catalogue/load.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { endpoint, type Services } from '../services.ts'

const REST = 'Fields that are left out stay as they are. `index` counts from 0.'

/** The operator's own assets, topics and publishers. */
export const catalogueEndpoints: readonly AnyEndpoint<Services>[] = [
  load(
    'assets',
    'Add or change assets, by their key',
    `A new one needs name and type. aliases are the names by which entries are found to mention it. ${REST}`,
  ),
  load(
    'topics',
    'Add or change topics, by their slug',
    `A new one needs name; its parentSlug must be there or come before it. With a topic that gets another parent those below it move along. terms {sure, likely, hint, not, assets, fallback} take the place of the built-in ones; null brings these back. ${REST}`,
  ),
  load(
    'publishers',
    'Add or change publishers, by their slug',
    `A new one needs name and domain. Its entries follow when it gets another countryCode. ${REST}`,
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
