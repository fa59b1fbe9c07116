import Type, { type TObject, type TSchema } from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import * as param from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { BLOCK_ROWS, EXPORT_FORMATS, type ExportFormat } from '../../model/exports.ts'
import { effectiveCost } from '../../plans/cost.ts'
import { endpoint, type Services } from '../services.ts'
import { type Dataset, EXPORTED } from './datasets.ts'
import { fileEndpoints } from './file-endpoints.ts'

const DESCRIPTION = [
  `It has the rows of the list, with the same filters and in the same order. Rows that arrive after the start are left out. Every ${BLOCK_ROWS} rows, or part of them, cost as much as a page of the list and are charged before they are sent.`,
  'If the export ends early, the connection is cut: GET /account/exports/:requestId tells why, with the rows, bytes and checksum of what was sent. To go on, send the id of the last complete row as `after`; the rest has no header row. A Parquet file cannot be continued, so the balance has to cover it as a whole.',
  'A record that changes during the export may move in an order by a changing field, such as volume; with asOf, where the list has it, the rows are those of one moment. Parameters that the export does not have are refused with 400.',
].join(' ')

export const exportEndpoints = [...fileEndpoints, ...EXPORTED.map(exportOf)]

/** Derives the export of a list from the endpoint of the list. */
function exportOf({ name, list, schema, credits, needs, walk }: Dataset): AnyEndpoint<Services> {
  return endpoint({
    method: 'GET',
    path: `/export/${name}`,
    access: 'key',
    summary: `Export ${name.replaceAll('-', ' ')} as a file`,
    description: DESCRIPTION,
    cost: { credits, perRows: BLOCK_ROWS },
    needs,
    query: queryOf(list.query?.properties ?? {}),
    returns: 'download',
    data: schema,
    async handle({ query, caller, request, selection }, services) {
      const { format, after, limit, sortBy, ...filters } = query as unknown as ExportQuery
      if (format === 'parquet' && after !== undefined) {
        throw ApiError.invalid([{ field: 'after', message: 'cannot continue a Parquet file; use ndjson or csv' }])
      }
      return services.exports.open(caller, {
        request,
        dataset: name,
        schema,
        format,
        selection,
        blockCost: effectiveCost(credits, caller.plan),
        walk: await walk({ filters, sort: sortBy, after }, services),
        limit,
        isContinued: after !== undefined,
      })
    },
  })
}

interface ExportQuery {
  format: ExportFormat
  after?: string
  limit?: number
  sortBy: string
}

/** Returns the parameters of an export: the filters and sorts of its list, and those of the file. */
function queryOf(ofList: Record<string, TSchema>): TObject {
  const isKept = (name: string) => name === 'sortBy' || (param.isFilter(name) && !['query', 'fields'].includes(name))
  const kept = Object.entries(ofList).filter(([name]) => isKept(name))
  return Type.Object({
    format: Type.Enum(EXPORT_FORMATS, {
      default: 'ndjson',
      description:
        'ndjson: a JSON object per line. csv: a header row, lists and objects as JSON. parquet: with types, cannot be continued',
    }),
    after: param.uuid('Id of the last complete row that you have: the export goes on after it; not for parquet'),
    limit: param.integer(1, 1_000_000_000, 'The most rows to send; all by default'),
    ...Object.fromEntries(kept.map(([name, schema]) => [name, name === 'sortBy' ? withoutRelevance(schema) : schema])),
  })
}

/** Semantic search returns too few entries to export. */
function withoutRelevance(sortBy: TSchema): TSchema {
  const { enum: sorts, 'x-default-with': _, ...rest } = sortBy as TSchema & Record<string, unknown> & { enum: string[] }
  return { ...rest, enum: sorts.filter((sort) => !sort.startsWith('relevance')) }
}
