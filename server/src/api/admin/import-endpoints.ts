import Type from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { type Importable, importRows, MAX_ROWS_PER_REQUEST } from '../../import/importable.ts'
import { IMPORTABLES, RESOURCE_NAMES, type ResourceName } from '../../import/resources.ts'
import { nullable } from '../../model/schema.ts'
import { endpoint, type Services } from '../services.ts'

const Outcome = Type.Object({
  added: Type.Integer(),
  changed: Type.Integer(),
  known: Type.Integer({ description: 'Rows whose record exists and stays as it is' }),
  refused: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Counts from 0' }),
      reason: Type.String(),
      field: nullable(Type.String()),
      value: nullable(Type.String({ description: 'The beginning of the value of the field, as JSON' })),
    }),
  ),
  unknownFields: Type.Array(
    Type.Object({ field: Type.String(), rows: Type.Integer(), suggestion: nullable(Type.String()) }),
    { description: 'Fields that were ignored because nothing is known by their name' },
  ),
})

/** Endpoints that load the operator's own data, one per resource. */
export const importEndpoints: readonly AnyEndpoint<Services>[] = RESOURCE_NAMES.map(importEndpoint)

function importEndpoint(name: ResourceName): AnyEndpoint<Services> {
  const resource: Importable = IMPORTABLES[name]
  return endpoint({
    access: 'operator',
    cost: { credits: 0 },
    method: 'POST',
    path: `/admin/import/${name}`,
    summary: `Add ${resource.noun}, identified by ${resource.key}`,
    description: [
      resource.about,
      `Existing ${resource.noun} stay as they are; update: true overwrites the given fields.`,
      `Fields: ${[...resource.fieldsOf(resource.example).given].join(', ')}.`,
      `For example: \`${JSON.stringify({ rows: [resource.example] })}\``,
    ].join(' '),
    body: Type.Object({
      rows: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_ROWS_PER_REQUEST }),
      update: Type.Optional(Type.Boolean()),
    }),
    returns: 'object',
    data: Outcome,
    handle: ({ body: { rows, update = false } }, { store, intake, clock }) =>
      importRows(resource, rows, { update }, { store, intake, now: clock.now() }),
  })
}
