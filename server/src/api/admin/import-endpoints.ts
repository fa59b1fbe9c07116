import Type from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { type Importable, importRows, MAX_ROWS_PER_REQUEST } from '../../import/importable.ts'
import { IMPORTABLES, RESOURCE_NAMES, type ResourceName } from '../../import/resources.ts'
import { flag, integer, nullable, text } from '../../model/schema.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const Outcome = Type.Object(
  {
    added: integer('Rows that became new records'),
    changed: integer('Rows that changed existing records'),
    known: integer('Rows whose record exists and stays as it is'),
    refused: Type.Array(
      Type.Object({
        index: integer('Position of the row in the request, from 0'),
        reason: text('Why the row was not taken'),
        field: nullable(
          text('Path of the field that is wrong, such as outcomes.0.label; null if it is not a single one'),
        ),
        value: nullable(text('The beginning of the value of the field, as JSON')),
      }),
      { description: 'Rows that were not taken, in the order of the request' },
    ),
    unknownFields: Type.Array(
      Type.Object({
        field: text('Name of the field'),
        rows: integer('Number of rows that have it'),
        suggestion: nullable(text('A known field with a similar name; null if there is none')),
      }),
      { description: 'Fields that were ignored because nothing is known by their name' },
    ),
  },
  { description: 'What became of the rows' },
)

/** Endpoints that load the operator's own data, one per resource. */
export const importEndpoints: readonly AnyEndpoint<Services>[] = RESOURCE_NAMES.map(importEndpoint)

function importEndpoint(name: ResourceName): AnyEndpoint<Services> {
  const resource: Importable = IMPORTABLES[name]
  return endpoint({
    ...operator('owner'),
    method: 'POST',
    path: `/admin/import/${name}`,
    summary: `Add ${resource.noun}, identified by ${resource.key}`,
    description: [
      resource.about,
      `Existing ${resource.noun} stay as they are; update: true overwrites the given fields.`,
      `Fields: ${[...resource.fieldsOf(resource.example).given].join(', ')}.`,
      `For example: \`${JSON.stringify({ rows: [resource.example] })}\``,
    ].join(' '),
    body: Type.Object(
      {
        rows: Type.Array(Type.Unknown(), {
          minItems: 1,
          maxItems: MAX_ROWS_PER_REQUEST,
          description: `An object per record, at most ${MAX_ROWS_PER_REQUEST}`,
        }),
        update: Type.Optional(flag('true overwrites the given fields of existing records, which otherwise stay')),
      },
      { description: 'The rows to import' },
    ),
    returns: 'object',
    data: Outcome,
    handle: ({ body: { rows, update = false } }, { store, intake, clock }) =>
      importRows(resource, rows, { update }, { store, intake, now: clock.now() }),
  })
}
