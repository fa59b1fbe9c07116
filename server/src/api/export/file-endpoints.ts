import Type, { type Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import { gateError } from '../../admission/gate.ts'
import { readRange } from '../../export/byte-range.ts'
import { storedName } from '../../export/daily-files.ts'
import { type Download, type DownloadWire, WireBroken } from '../../http/download.ts'
import * as param from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { BLOCK_ROWS } from '../../model/exports.ts'
import { count, day, flag, id, nullable, text, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { effectiveCost } from '../../plans/cost.ts'
import type { ExportFile } from '../../store/exports/export-files.ts'
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
    async handle({ query, page, caller }, { store }) {
      const { data, totalCount } = await store.exportFiles.page(param.filtersOf(query), page.limit, page.offset)
      const paid = await store.exportFiles.listPaid(
        caller.account.id,
        data.map((file) => file.id),
      )
      return { data: data.map((file) => viewOf(file, caller, paid.has(file.id))), totalCount }
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
    async handle({ params, caller, endpoint, header }, services) {
      const file = orNotFound(await services.store.exportFiles.find(params.id.toLowerCase()), 'file')
      const refusal = gateError(caller, { needs: datasetNamed(file.dataset).needs })
      if (refusal !== undefined) throw refusal
      return download(file, caller, endpoint, header, services)
    },
  }),
]

function viewOf(file: ExportFile, caller: Caller, isPaid: boolean): Static<typeof FileView> {
  const { id, dataset, day, rows, bytes, sha256, supersedes, supersededBy, createdAt } = file
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
  endpoint: string,
  header: (name: string) => string | undefined,
  { store, admission, exportStorage, clock }: Services,
): Promise<Download> {
  const etag = `"${file.sha256}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable, no-transform',
  }
  if (header('if-none-match') === etag) return { status: 304, headers, cost: 0, send: sendNothing }
  const range = rangeOf(file, header('if-range') ?? etag, header('range'))
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 }
  const parts = await exportStorage.read(storedName(file), start, end)
  if (parts === undefined) {
    throw new ApiError('INTERNAL_ERROR', 'This server does not have the file at hand', { statusCode: 503 })
  }
  const credits = priceOf(file, caller)
  const { id: accountId } = caller.account
  const paid = await store.exportFiles.pay({
    file,
    accountId,
    apiKeyId: caller.key.id,
    endpoint,
    credits,
    at: clock.now(),
  })
  if (paid === undefined) throw admission.outOfCredits(caller, credits)
  await admission.reloadBalance(accountId)
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': `attachment; filename="${file.dataset}-${file.day}.parquet"`,
      'content-length': end - start + 1,
      ...(range !== undefined && { 'content-range': `bytes ${start}-${end}/${file.bytes}` }),
    },
    cost: paid.credits,
    async send(wire) {
      let bytes = 0
      try {
        for await (const part of parts) {
          await wire.write(part)
          bytes += part.length
        }
        wire.end()
      } catch (error) {
        wire.cut()
        if (!(error instanceof WireBroken)) throw error
      }
      return bytes
    },
  }
}

async function sendNothing(wire: DownloadWire): Promise<number> {
  wire.end()
  return 0
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
    })
  }
}
