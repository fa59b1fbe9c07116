import Type, { type Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { gateError } from '../../admission/gate.ts'
import { readRange } from '../../export/byte-range.ts'
import type { ExportStorage } from '../../export/storage.ts'
import { ClientLeft, type Download, type DownloadRequest, headersOnly, WireBroken } from '../../http/download.ts'
import * as param from '../../http/params.ts'
import { isNamed } from '../../http/representation.ts'
import { ApiError } from '../../model/errors.ts'
import { BLOCK_ROWS } from '../../model/exports.ts'
import type { OffsetPage } from '../../model/paging.ts'
import { count, day, flag, id, nullable, text, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { effectiveCost } from '../../plans/cost.ts'
import { type ExportFile, type OfferedFile, storedName } from '../../store/exports/export-files.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { DAILY_DATASETS, datasetNamed } from './datasets.ts'

const FileView = Type.Object(
  {
    id: id('Id of the file'),
    dataset: text('Name of the dataset'),
    day: day('UTC day of its records: of publication, filing or generation'),
    format: Type.Enum(['parquet'], { description: 'Format of the file' }),
    rows: count('Number of its records'),
    bytes: count('Its size'),
    sha256: text('Its SHA-256 in hexadecimal'),
    credits: count('Its price on your plan'),
    isPaid: flag('Whether your account has paid for it: then downloads of it are free'),
    supersedes: nullable(id('Id of the file of this day before it; null if it is the first')),
    supersededBy: nullable(id('Id of the file of this day after it; null if it is the current one')),
    createdAt: time('When it was built'),
  },
  { description: 'A file with the records of a dataset on one day. It never changes' },
)

const FileQuery = Type.Object({
  limit: param.limit(),
  offset: param.offset(),
  dataset: param.enumList(
    DAILY_DATASETS.map(({ name }) => name),
    'Name of a dataset',
  ),
  dayAfter: param.instant('Files of this day and later ones'),
  dayBefore: param.instant('Files of this day and earlier ones'),
  includeSuperseded: param.flag('true: also files that others supersede'),
})

/** The answers with pages of files: the same object for the same page and plan, so that its bytes stay in the cache. */
const views = new WeakMap<object, { plan: Caller['plan']; view: OffsetPage<Static<typeof FileView>> }>()

export const fileEndpoints = [
  endpoint({
    method: 'GET',
    path: '/export/files',
    access: 'key',
    summary: 'List the daily export files, latest day first',
    description:
      'Each dataset has a Parquet file per UTC day, built within two hours after the day. If records of the last seven days change, another file supersedes it. Days without records have no file.',
    cost: { credits: 1 },
    needs: 'bulkExport',
    refusesDemo: true,
    query: FileQuery,
    returns: 'offset-list',
    data: FileView,
    async handle({ query, page: { limit, offset }, caller }, { store }) {
      const page = await store.exportFiles.page(caller.account.id, param.filtersOf(query), limit, offset)
      const known = views.get(page)
      if (known?.plan === caller.plan) return known.view
      const view = { data: page.data.map((file) => viewOf(file, caller)), totalCount: page.totalCount }
      views.set(page, { plan: caller.plan, view })
      return view
    },
  }),

  endpoint({
    method: 'GET',
    path: '/export/files/:id',
    access: 'key',
    summary: 'Download a daily export file',
    description: `Costs the price of the file at the first download, as much as a page of the list for each started ${BLOCK_ROWS} rows; then it is free for the account. Supports Range, If-Range and If-None-Match.`,
    cost: { credits: 0, perFile: true },
    needs: 'bulkExport',
    refusesDemo: true,
    params: idPath('Id of the file'),
    returns: 'download',
    data: Type.String({ description: 'A Parquet file' }),
    errors: { 416: 'No byte of the file is in the range that `Range` asks for.' },
    async handle({ params, caller, request, header }, services) {
      const file = orNotFound(await services.store.exportFiles.find(params.id.toLowerCase()), 'file')
      const refusal = gateError(caller, { needs: datasetNamed(file.dataset).needs })
      if (refusal !== undefined) throw refusal
      return download(file, caller, request, header, services)
    },
  }),
]

function viewOf(file: OfferedFile, caller: Caller): Static<typeof FileView> {
  const { id, dataset, day, rows, bytes, sha256, isPaid, supersedes, supersededBy, createdAt } = file
  return {
    id,
    dataset,
    day,
    format: 'parquet',
    rows,
    bytes,
    sha256,
    credits: priceOf(file, caller),
    isPaid,
    supersedes,
    supersededBy,
    createdAt: isoTime(createdAt),
  }
}

const priceOf = ({ dataset, rows }: ExportFile, { plan }: Caller) =>
  Math.ceil(rows / BLOCK_ROWS) * effectiveCost(datasetNamed(dataset).credits, plan)

/** Charges for the file, unless the account has paid for it, and returns the part that the headers ask for. */
async function download(
  file: ExportFile,
  caller: Caller,
  request: DownloadRequest,
  header: (name: string) => string | undefined,
  { store, admission, exportStorage }: Services,
): Promise<Download> {
  const etag = `"${file.sha256}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable, no-transform',
  }
  if (isNamed(`W/${etag}`, header('if-none-match'))) return headersOnly(headers, 304)
  // RFC 9110, 14.2: a range is for GET alone.
  const range = request.isHead ? undefined : rangeOf(file, header('if-range') ?? etag, header('range'))
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 }
  const ofFile = {
    ...headers,
    'content-type': 'application/vnd.apache.parquet',
    'content-disposition': `attachment; filename="${file.dataset}-${file.day}.parquet"`,
    'content-length': end - start + 1,
    ...(range !== undefined && { 'content-range': `bytes ${start}-${end}/${file.bytes}` }),
  }
  if (request.isHead) return headersOnly(ofFile)
  const { first, parts } = await startReading(exportStorage, storedName(file), start, end)
  const credits = priceOf(file, caller)
  let paid: Awaited<ReturnType<typeof store.exportFiles.pay>>
  try {
    if (request.hasLeft()) throw new ClientLeft()
    paid = await store.exportFiles.pay({ file, credits, request: request.toLogged(0) })
    if (paid === undefined) throw admission.outOfCredits(caller, credits)
    await admission.reloadBalance(caller.account.id)
  } catch (error) {
    await parts.return?.()
    throw error
  }
  return {
    status: range === undefined ? 200 : 206,
    headers: ofFile,
    cost: paid,
    isLogged: paid > 0,
    async send(wire) {
      let bytes = 0
      try {
        for (let part = first; !part.done; part = await parts.next()) {
          await wire.write(part.value, (accepted) => {
            bytes += accepted.length
          })
        }
        wire.end()
      } catch (error) {
        wire.cut()
        if (!(error instanceof WireBroken)) throw error
      } finally {
        await parts.return?.()
      }
      return bytes
    },
  }
}

/**
 * Returns the parts of a file, of which the first is read: nothing is charged for a file that cannot be read, and one that is
 * removed from now on can be read to its end.
 */
async function startReading(storage: ExportStorage, name: string, start: number, end: number) {
  const unreadable = (cause?: unknown) =>
    new ApiError('INTERNAL_ERROR', 'This server does not have the file at hand', { statusCode: 503, cause })
  const parts = (await storage.read(name, start, end))?.[Symbol.asyncIterator]()
  if (parts === undefined) throw unreadable()
  try {
    return { first: await parts.next(), parts }
  } catch (error) {
    throw unreadable(error)
  }
}

/** Returns the range to send; undefined for the whole file, also if the client has a part of another one. */
function rangeOf(file: ExportFile, ifRange: string, range: string | undefined) {
  if (ifRange !== `"${file.sha256}"`) return undefined
  try {
    return readRange(range, file.bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApiError('BAD_REQUEST', `The file has ${file.bytes} bytes, and none of them is in the range`, {
      statusCode: 416,
      headers: { 'content-range': `bytes */${file.bytes}` },
    })
  }
}
