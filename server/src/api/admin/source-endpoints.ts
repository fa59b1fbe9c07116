import Type, { type Static } from 'typebox'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { ApiError } from '../../model/errors.ts'
import { id, nullable, time } from '../../model/schema.ts'
import { isoTime, isoTimeOrNull, SECOND } from '../../model/time.ts'
import { hasSample, SAMPLE_WARNING } from '../../sample/load.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { FAILING_AFTER } from '../../sources/schedule.ts'
import { SourceRefused, sourceId } from '../../sources/source-manager.ts'
import type { SourceRecord } from '../../store/sources/sources.ts'
import { IdPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'

const operator = { access: 'operator', cost: { credits: 0 } } as const

const SourceView = Type.Object({
  id: id(),
  kind: Type.String(),
  address: Type.String({ description: 'Its URL, or its kind and pair, such as kraken:BTC/USD' }),
  from: Type.String({ description: 'Where it comes from: command, or the preset or file of SOURCES' }),
  options: Type.Record(Type.String(), Type.Unknown()),
  status: Type.Enum(['active', 'paused', 'failing', 'stopped']),
  lastRunAt: nullable(time()),
  lastSuccessAt: nullable(time()),
  nextRunAt: nullable(time('null while it is paused or stopped')),
  everySeconds: Type.Integer({ description: 'Usual time between two runs' }),
  added: Type.Integer({ description: 'Items added so far' }),
  changed: Type.Integer({ description: 'Items changed so far' }),
  rejected: Type.Integer({
    description: 'Items rejected so far; the same item counts each time it changes the source',
  }),
  rejections: Type.Record(Type.String(), Type.Integer(), { description: 'Rejected items by reason' }),
  lagSeconds: nullable(Type.Integer({ description: 'Time from publication to storage of its latest item' })),
  failures: Type.Integer({ description: 'Failed runs since the last success' }),
  error: nullable(Type.String({ description: 'What went wrong in the last run, and what to do' })),
  state: Type.Record(Type.String(), Type.Unknown(), { description: 'How far it has been read' }),
})

const FoundFeedView = Type.Object({
  url: Type.String(),
  title: nullable(Type.String()),
  language: nullable(Type.String()),
  items: Type.Integer(),
  newestAt: nullable(time()),
  others: Type.Array(Type.String(), { description: 'Further feeds that the page links to' }),
  warning: nullable(Type.String()),
})

const ACTIONS = {
  run: 'Read a source now',
  pause: 'Stop reading a source until it is resumed',
  resume: 'Read a source again that was paused or stopped',
} as const

/** The sources that the service reads by itself. */
export const sourceEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator,
    method: 'GET',
    path: '/admin/sources',
    summary: 'List sources with their state',
    returns: 'list',
    data: SourceView,
    handle: async (_input, { sources }) => (await sources.list()).map(toView),
  }),

  endpoint({
    ...operator,
    method: 'POST',
    path: '/admin/sources',
    summary: 'Add a source',
    description:
      'With url alone, the address is looked at: a feed, or a page that links to one. Otherwise kind and the options of the SOURCES file. A source of the SOURCES setting with the same address wins.',
    body: Type.Object(
      { url: Type.Optional(Type.String()), kind: Type.Optional(Type.String()) },
      { additionalProperties: true },
    ),
    returns: 'object',
    data: Type.Object({
      sources: Type.Array(SourceView),
      found: nullable(FoundFeedView),
      warning: nullable(Type.String({ description: 'Set while the store also contains the sample' })),
    }),
    async handle({ body }, { sources, store }) {
      const warning = (await hasSample(store)) ? SAMPLE_WARNING : null
      try {
        if (body.kind !== undefined) return { sources: (await sources.add(body)).map(toView), found: null, warning }
        const { found, source } = await sources.addUrl(body.url ?? '')
        return { sources: [toView(source)], found, warning }
      } catch (error) {
        if (!(error instanceof SourceRefused || error instanceof FetchError)) throw error
        throw new ApiError('BAD_REQUEST', error.message)
      }
    },
  }),

  endpoint({
    ...operator,
    method: 'GET',
    path: '/admin/sources/:id',
    summary: 'Get a source',
    params: IdPath,
    returns: 'object',
    data: SourceView,
    handle: async ({ params }, services) => toView(await existing(params.id, services)),
  }),

  ...(['run', 'pause', 'resume'] as const).map((action) =>
    endpoint({
      ...operator,
      method: 'POST',
      path: `/admin/sources/:id/${action}`,
      summary: ACTIONS[action],
      params: IdPath,
      returns: 'object',
      data: SourceView,
      async handle({ params }, services) {
        const { key } = await existing(params.id, services)
        await services.sources[action](key)
        return toView(await existing(params.id, services))
      },
    }),
  ),

  endpoint({
    ...operator,
    method: 'DELETE',
    path: '/admin/sources/:id',
    summary: 'Remove a source that was added by command; what it brought stays',
    params: IdPath,
    returns: 'object',
    data: Type.Object({ id: id(), removed: Type.Boolean() }),
    async handle({ params }, services) {
      const { key, configuredBy } = await existing(params.id, services)
      const isRemoved = await services.sources.remove(key)
      if (!isRemoved) {
        throw new ApiError('BAD_REQUEST', `This source comes from ${configuredBy}; remove it there, or pause it`)
      }
      return { id: params.id, removed: true }
    },
  }),
]

async function existing(sourceIdOrKey: string, { sources }: Services): Promise<SourceRecord> {
  return orNotFound(await sources.find(sourceIdOrKey), 'source')
}

function toView(source: SourceRecord): Static<typeof SourceView> {
  const { isPaused, stopped, failures, lagMs } = source
  const status = stopped !== null ? 'stopped' : isPaused ? 'paused' : failures >= FAILING_AFTER ? 'failing' : 'active'
  return {
    id: sourceId(source.key),
    kind: source.kind,
    address: source.key,
    from: source.configuredBy ?? 'command',
    options: source.options,
    status,
    lastRunAt: isoTimeOrNull(source.lastRunAt),
    lastSuccessAt: isoTimeOrNull(source.lastSuccessAt),
    nextRunAt: status === 'paused' || status === 'stopped' ? null : isoTime(source.nextRunAt),
    everySeconds: Math.round(source.everyMs / SECOND),
    added: source.added,
    changed: source.changed,
    rejected: source.rejected,
    rejections: source.rejections,
    lagSeconds: lagMs === null ? null : Math.round(lagMs / SECOND),
    failures,
    error: stopped ?? source.lastError,
    state: source.state,
  }
}
