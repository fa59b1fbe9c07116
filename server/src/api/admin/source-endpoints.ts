import Type, { type Static } from 'typebox'
import type { OperatorRequest } from '../../admission/operator-request.ts'
import { recorded } from '../../http/audit-summary.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import { DATA_KINDS } from '../../model/data-kinds.ts'
import { ApiError } from '../../model/errors.ts'
import { flag, id, integer, nullable, text, texts, time } from '../../model/schema.ts'
import { isoTime, isoTimeOrNull, SECOND } from '../../model/time.ts'
import { hasSample, SAMPLE_WARNING } from '../../sample/load.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { FAILING_AFTER } from '../../sources/schedule.ts'
import { SourceRefused, sourceId } from '../../sources/source-manager.ts'
import type { SourceRecord } from '../../store/sources/sources.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const SourceView = Type.Object(
  {
    id: id('Id that depends only on the address'),
    kind: text('Kind of source, such as feed or kraken'),
    address: text('Its URL, or its kind and pair, such as kraken:BTC/USD'),
    from: text('Where it comes from: command, or the preset or file of SOURCES'),
    options: Type.Record(Type.String(), Type.Unknown(), { description: 'Its options, as in the SOURCES file' }),
    status: Type.Enum(['active', 'paused', 'failing', 'stopped'], {
      description: `paused by the operator; failing after ${FAILING_AFTER} failed runs; stopped if it is gone for good`,
    }),
    lastRunAt: nullable(time('When it was last read; null if never')),
    lastSuccessAt: nullable(time('When it was last read without an error; null if never')),
    nextRunAt: nullable(time('When it is read next; null while it is paused or stopped')),
    everySeconds: integer('Usual time between two runs'),
    added: integer('Items added so far'),
    changed: integer('Items changed so far'),
    rejected: integer('Items rejected so far; the same item counts each time it changes the source'),
    rejections: Type.Record(Type.String(), Type.Integer(), { description: 'Rejected items by reason' }),
    lagSeconds: nullable(
      Type.Integer({ description: 'Time from publication to storage of its latest item; null if unknown' }),
    ),
    failures: integer('Failed runs since the last success'),
    error: nullable(text('What went wrong in the last run, and what to do; null if nothing did')),
    state: Type.Record(Type.String(), Type.Unknown(), { description: 'How far it has been read' }),
  },
  { description: 'A source that the service reads' },
)

const FoundFeedView = Type.Object(
  {
    url: text('Address of the feed'),
    title: nullable(text('Title of the feed; null if it has none')),
    language: nullable(text('Language that it declares; null if it declares none')),
    items: integer('Number of items in it'),
    newestAt: nullable(time('Publication time of its newest item; null if unknown')),
    others: texts('Further feeds that the page links to'),
    warning: nullable(text('Why it may not be worth reading; null if nothing is wrong')),
  },
  { description: 'The feed at the given url; null if the source was given by kind or preset' },
)

const ACTIONS = {
  run: 'Read a source now',
  pause: 'Stop reading a source until it is resumed',
  resume: 'Read a source again that was paused or stopped',
} as const

/** The sources that the service reads by itself. */
export const sourceEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/sources',
    summary: 'List sources with their state',
    returns: 'list',
    data: SourceView,
    handle: async (_input, { sources }) => (await sources.list()).map(toView),
  }),

  endpoint({
    ...operator('owner'),
    method: 'POST',
    path: '/admin/sources',
    summary: 'Add a source',
    description:
      'With url alone, the address is looked at: a feed, or a page that links to one. With preset alone, its sources are added. Otherwise kind and the options of the SOURCES file. A source of the SOURCES setting with the same address wins.',
    body: Type.Object(
      {
        url: Type.Optional(text('Address of a feed, or of a page that links to one')),
        preset: Type.Optional(recorded(text('Preset, such as crypto, all of whose sources are added'))),
        kind: Type.Optional(recorded(text('Kind of source, such as feed or kraken; needed with other options'))),
      },
      { additionalProperties: true, description: 'The source to add, with options as in the SOURCES file' },
    ),
    returns: 'object',
    data: Type.Object(
      {
        sources: Type.Array(SourceView, {
          description: 'The added sources: one per pair for prices, those of the preset',
        }),
        found: nullable(FoundFeedView),
        warning: nullable(text('Set while the store also contains the sample; null otherwise')),
      },
      { description: 'The added sources' },
    ),
    async handle({ body, operator }, { sources, store }) {
      const warning = (await hasSample(store)) ? SAMPLE_WARNING : null
      try {
        if (body.preset !== undefined) {
          return { sources: (await sources.addPreset(body.preset)).map(toView), found: null, warning }
        }
        if (body.kind !== undefined) return { sources: (await sources.add(body)).map(toView), found: null, warning }
        const { found, source } = await sources.addUrl(body.url ?? '')
        operator.concerns(sourceId(source.key))
        return { sources: [toView(source)], found, warning }
      } catch (error) {
        if (!(error instanceof SourceRefused || error instanceof FetchError)) throw error
        throw new ApiError('BAD_REQUEST', error.message)
      }
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/source-kinds',
    summary: 'Get the kinds of sources with their options, and the presets',
    returns: 'object',
    data: Type.Object(
      {
        kinds: Type.Array(
          Type.Object({
            kind: text('Kind of source, such as feed or kraken'),
            brings: Type.Enum(DATA_KINDS, { description: 'The data that it brings' }),
            options: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of its options' }),
          }),
          { description: 'The kinds of sources' },
        ),
        presets: texts('Names of the presets'),
      },
      { description: 'What can be added' },
    ),
    async handle(_input, { sources }) {
      const { kinds, presets } = await sources.offers()
      return { kinds: kinds.map(({ kind, brings, options }) => ({ kind, brings, options: { ...options } })), presets }
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/sources/:id',
    summary: 'Get a source',
    params: idPath('Id or address of the source'),
    returns: 'object',
    data: SourceView,
    handle: async ({ params, operator }, services) => toView(await existing(params.id, services, operator)),
  }),

  ...(['run', 'pause', 'resume'] as const).map((action) =>
    endpoint({
      ...operator('owner'),
      method: 'POST',
      path: `/admin/sources/:id/${action}`,
      summary: ACTIONS[action],
      params: idPath('Id or address of the source'),
      returns: 'object',
      data: SourceView,
      async handle({ params, operator }, services) {
        const { key } = await existing(params.id, services, operator)
        await services.sources[action](key)
        return toView(await existing(params.id, services, operator))
      },
    }),
  ),

  endpoint({
    ...operator('owner'),
    method: 'DELETE',
    path: '/admin/sources/:id',
    summary: 'Remove a source that was added by command; what it brought stays',
    params: idPath('Id or address of the source'),
    returns: 'object',
    data: Type.Object(
      { id: text('Id or address from the path'), removed: flag('Always true') },
      { description: 'The removed source' },
    ),
    async handle({ params, operator }, services) {
      const { key, configuredBy } = await existing(params.id, services, operator)
      const isRemoved = await services.sources.remove(key)
      if (!isRemoved) {
        throw new ApiError('BAD_REQUEST', `This source comes from ${configuredBy}; remove it there, or pause it`)
      }
      return { id: params.id, removed: true }
    },
  }),
]

/** Finds a source and names it in the audit trail by its id, because its address may contain a secret. */
async function existing(
  sourceIdOrKey: string,
  { sources }: Services,
  operator: OperatorRequest,
): Promise<SourceRecord> {
  const source = orNotFound(await sources.find(sourceIdOrKey), 'source')
  operator.concerns(sourceId(source.key))
  return source
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
