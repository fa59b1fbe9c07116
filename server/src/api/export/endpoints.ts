import Type, { type TObject, type TSchema } from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import * as param from '../../http/params.ts'
import { Entry } from '../../model/entries.ts'
import { ApiError } from '../../model/errors.ts'
import { BLOCK_ROWS, EXPORT_FORMATS, type ExportFormat } from '../../model/exports.ts'
import { SEC_DATASETS } from '../../model/sec/datasets.ts'
import { baseCost, effectiveCost } from '../../plans/cost.ts'
import type { ListWalk, WalkRequest } from '../../store/lists/feed-pages.ts'
import { clustersEndpoints } from '../clusters/endpoints.ts'
import { entriesEndpoints } from '../entries/endpoints.ts'
import { predictionMarketsEndpoints } from '../prediction-markets/endpoints.ts'
import { secEndpoints } from '../sec/endpoints.ts'
import { endpoint, type Services } from '../services.ts'
import { signalsEndpoints } from '../signals/endpoints.ts'

/** Walks through a list. The filters are those of the list's own endpoint, which has their types. */
// biome-ignore lint/suspicious/noExplicitAny: the filters of every list
type WalkList = (request: WalkRequest<any, any>, services: Services) => Promise<ListWalk>

/** The datasets by name, which is the last part of the path of their list. */
const WALKS: Record<string, WalkList> = {
  entries: (request, { store }) => store.entries.walk(request),
  clusters: (request, { store, clock }) => store.clusters.walk(request, clock.now()),
  'prediction-markets': (request, { store, clock }) => store.predictionMarkets.walk(request, clock.now()),
  signals: (request, { store, clock }) => store.signals.walk(request, clock.now()),
  ...Object.fromEntries(
    SEC_DATASETS.map((dataset): [string, WalkList] => [
      dataset,
      (request, { store }) => store.sec.walk(dataset, request),
    ]),
  ),
}

const LISTS: readonly AnyEndpoint<Services>[] = [
  ...entriesEndpoints,
  ...clustersEndpoints,
  ...predictionMarketsEndpoints,
  ...signalsEndpoints,
  ...secEndpoints,
]

const DESCRIPTION = [
  `The rows are those of the list with the same filters, in its order, without rows that arrive after the start. Each started ${BLOCK_ROWS} rows cost as much as a page of the list, and are charged before they are sent.`,
  'If the export ends early, the connection is cut: GET /account/exports/:requestId tells why, with the rows, bytes and checksum of what was sent. To go on, send the id of the last complete row as `after`; the rest has no header row. A Parquet file cannot be continued, so the balance has to cover it as a whole.',
  'A record that changes during the export may move in an order by a changing field, such as volume; with asOf, where the list has it, the rows are those of one moment. Parameters that the export does not have are refused with 400.',
].join(' ')

export const exportEndpoints = Object.entries(WALKS).map(([dataset, walk]) => exportOf(dataset, walk))

/** Derives the export of a list from the endpoint of the list. */
function exportOf(dataset: string, walk: WalkList): AnyEndpoint<Services> {
  const list = LISTS.find(({ path, params }) => params === undefined && path.endsWith(`/${dataset}`))
  if (list === undefined) throw new Error(`there is no list of ${dataset}`)
  const { credits } = list.cost
  const cost = { credits, perRows: BLOCK_ROWS }
  const schema: TObject = dataset === 'entries' ? Entry : (list.data as TObject)
  return endpoint({
    method: 'GET',
    path: `/export/${dataset}`,
    access: 'key',
    summary: `Export ${dataset.replaceAll('-', ' ')} as a file`,
    description: DESCRIPTION,
    cost,
    needs: list.needs === 'sec' ? 'secExport' : 'bulkExport',
    query: queryOf(list.query?.properties ?? {}),
    returns: 'download',
    data: schema,
    async handle({ query, caller, endpoint, requestId, selection }, services) {
      const { format, after, limit, sortBy, ...filters } = query as unknown as ExportQuery
      if (format === 'parquet' && after !== undefined) {
        throw ApiError.invalid([{ field: 'after', message: 'cannot continue a Parquet file; use ndjson or csv' }])
      }
      return services.exports.open(caller, {
        requestId,
        endpoint,
        schema,
        format,
        selection,
        blockCost: effectiveCost(baseCost(cost, query), caller.plan),
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
