import Type, { type TObject } from 'typebox'
import * as param from '../../http/params.ts'
import { integer, text, texts } from '../../model/schema.ts'
import { SEC_DATASETS, SEC_DETAILS, SEC_RECORDS, type SecDataset } from '../../model/sec/datasets.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { asOf, DATASETS, type DatasetDescription, sharedFilters } from './datasets.ts'

/** The names of the fields and filters of each dataset. */
const NAMES = Object.fromEntries(
  SEC_DATASETS.map((slug) => {
    const filters = Object.keys(queryOf(DATASETS[slug]).properties).filter(param.isFilter)
    return [slug, { fields: Object.keys(detailSchema(slug).properties), filters }]
  }),
) as Record<SecDataset, { fields: string[]; filters: string[] }>

/** The answers of GET /sec/datasets: the same object for the same counts, so that its bytes stay in the cache. */
const lists = new WeakMap<Record<SecDataset, number>, ReturnType<typeof datasetList>>()

export const secEndpoints = [
  endpoint({
    method: 'GET',
    path: '/sec/datasets',
    access: 'key',
    summary: 'List the SEC datasets with their fields and record counts',
    cost: { credits: 1 },
    needs: 'sec',
    returns: 'list',
    data: Type.Object(
      {
        slug: Type.Enum([...SEC_DATASETS], { description: 'Name in paths and in secRecords of signals' }),
        name: text('Name for people'),
        description: text('What its records are'),
        path: text('Path of its list, below /api/v1'),
        forms: texts('SEC forms that its records come from'),
        recordCount: integer('Number of records, without superseded ones'),
        fields: texts('Names of the fields of its records'),
        filters: texts('Names of the parameters that filter its list'),
      },
      { description: 'An SEC dataset' },
    ),
    async handle(_input, { store }) {
      const { secRecords } = await store.totals()
      const known = lists.get(secRecords) ?? datasetList(secRecords)
      lists.set(secRecords, known)
      return known
    },
  }),

  ...SEC_DATASETS.flatMap((dataset) => datasetEndpoints(dataset, DATASETS[dataset])),
]

function datasetList(recordCounts: Record<SecDataset, number>) {
  return SEC_DATASETS.map((slug) => {
    const { name, description, forms } = DATASETS[slug]
    const { fields, filters } = NAMES[slug]
    return { slug, name, description, path: `/sec/${slug}`, forms, recordCount: recordCounts[slug], fields, filters }
  })
}

/** Returns the list endpoint and the record endpoint of a dataset. */
function datasetEndpoints(dataset: SecDataset, description: DatasetDescription) {
  const { name } = description
  const record: TObject = SEC_RECORDS[dataset]
  return [
    endpoint({
      method: 'GET',
      path: `/sec/${dataset}`,
      access: 'key',
      summary: `List ${name.toLowerCase()}, most recently filed first`,
      description: `${description.description} (${description.forms.join(', ')}).`,
      cost: { credits: 2 },
      needs: 'sec',
      query: queryOf(description),
      returns: 'cursor-list',
      data: record,
      handle: ({ query, page }, { store }) =>
        store.sec.page(dataset, { filters: param.filtersOf(query), sort: query.sortBy, ...page }),
    }),

    endpoint({
      method: 'GET',
      path: `/sec/${dataset}/:id`,
      access: 'key',
      summary: `Get a record of ${name.toLowerCase()}`,
      cost: { credits: 1 },
      needs: 'sec',
      params: idPath('Id of the record'),
      query: Type.Object({ asOf: asOf() }),
      returns: 'object',
      data: detailSchema(dataset),
      handle: async ({ params, query }, { store }) =>
        orNotFound(await store.sec.find(dataset, params.id, query), 'record'),
    }),
  ]
}

/** Returns the schema of a record requested by id. */
function detailSchema(dataset: SecDataset): TObject {
  const record: TObject = SEC_RECORDS[dataset]
  const detail = SEC_DETAILS[dataset]
  if (detail === undefined) return record
  return Type.Object(
    { ...record.properties, ...detail.properties },
    { description: 'A filing with all that is known about it' },
  )
}

function queryOf({ filters, sorts }: DatasetDescription) {
  return Type.Object({
    ...param.cursorList(),
    sortBy: param.sorts('filedAt:desc', ...sorts),
    ...param.ownKeyFilters({ ...sharedFilters(), ...filters }),
  })
}
