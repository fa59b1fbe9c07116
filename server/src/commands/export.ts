import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { OperatorError } from '../config.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { EXPORT_FORMATS, type ExportFormat, type ExportView } from '../model/exports.ts'
import { findTail, type Tail } from './export-tail.ts'
import { ProgressLine } from './progress.ts'

/** How often to try again without receiving a further row. */
const MAX_FAILURES = 5
const RETRY_MS = 1_000

const FORMATS: Record<string, ExportFormat> = {
  '.jsonl': 'ndjson',
  '.ndjson': 'ndjson',
  '.csv': 'csv',
  '.parquet': 'parquet',
}

/** The service to call, and the key to call it with. */
interface ClientSettings {
  url: string
  apiKey: string
}

interface ExportArguments {
  dataset: string
  file: string
  format: ExportFormat
  /** Parameters of the list, by name. */
  filters: Record<string, string>
}

/** Writes all rows of a list to a file. Continues a file that an earlier run left incomplete. */
export async function exportCommand(
  args: readonly string[],
  { url, apiKey }: { url: string; apiKey: string | undefined },
): Promise<string> {
  const given = readArguments(args)
  if (apiKey === undefined) throw new OperatorError('set MINTICK_API_KEY to an API key, and MINTICK_URL to the service')
  const client = new ExportClient({ url: url.replace(/\/+$/, ''), apiKey }, given)
  const { rows, bytes } = given.format === 'parquet' ? await client.write() : await client.writeOrContinue()
  return `${rows.toLocaleString('en-US')} rows, ${bytes.toLocaleString('en-US')} bytes, checksum verified: ${given.file}\n`
}

function readArguments(args: readonly string[]): ExportArguments {
  const positional: string[] = []
  const filters: Record<string, string> = {}
  for (let place = 0; place < args.length; place += 1) {
    const [, name, value] = /^--([A-Za-z]+)(?:=(.*))?$/s.exec(args[place] ?? '') ?? []
    if (name === undefined) positional.push(args[place] ?? '')
    else {
      if (value === undefined) place += 1
      const text = value ?? args[place]
      if (text === undefined) throw new OperatorError(`--${name} needs a value`)
      filters[name] = text
    }
  }
  const [dataset, file, ...others] = positional
  if (dataset === undefined || file === undefined || others.length > 0) {
    throw new OperatorError(
      'usage: mintick export DATASET FILE [--FILTER VALUE …], such as mintick export entries news.csv',
    )
  }
  const { format: named, ...rest } = filters
  const format = EXPORT_FORMATS.find((known) => known === named) ?? FORMATS[extname(file).toLowerCase()]
  if (format === undefined || (named !== undefined && named !== format)) {
    throw new OperatorError(
      `the name of the file must end with ${Object.keys(FORMATS).join(', ')}, or --format be one of ${EXPORT_FORMATS.join(', ')}`,
    )
  }
  return { dataset, file, format, filters: rest }
}

/** The answer to a request for an export, as far as it was received. */
interface Received {
  rows: number
  bytes: number
  status: ExportView
  isComplete: boolean
}

class ExportClient {
  readonly #settings: ClientSettings
  readonly #given: ExportArguments
  /** Named after the request, so that another one does not continue it. */
  readonly #part: string

  constructor(settings: ClientSettings, given: ExportArguments) {
    this.#settings = settings
    this.#given = given
    this.#part = `${given.file}.${crc32(JSON.stringify([given.dataset, given.format, given.filters])).toString(36)}.part`
  }

  /** Downloads a file that cannot be continued. */
  async write(): Promise<{ rows: number; bytes: number }> {
    const received = await this.#receive(undefined, 0)
    if (!received.isComplete)
      throw new OperatorError(`${reasonOf(received.status)}; a Parquet file cannot be continued`)
    await rename(this.#part, this.#given.file)
    return received
  }

  async writeOrContinue(): Promise<{ rows: number; bytes: number }> {
    const { format, filters, file } = this.#given
    let tail: Tail = existsSync(this.#part) ? await findTail(this.#part, format) : { rows: 0, end: 0, id: undefined }
    const limit = filters.limit === undefined ? Infinity : Number(filters.limit)
    for (let failures = 0; ; ) {
      const received = tail.rows >= limit ? undefined : await this.#receive(tail, limit)
      if (received === undefined || received.isComplete) {
        await rename(this.#part, file)
        return { rows: tail.rows + (received?.rows ?? 0), bytes: tail.end + (received?.bytes ?? 0) }
      }
      const next = await findTail(this.#part, format)
      failures = next.rows > tail.rows ? 0 : failures + 1
      tail = next
      const isFinal = ['credits_exhausted', 'key_revoked'].includes(received.status.status)
      if (isFinal || failures > MAX_FAILURES) {
        throw new OperatorError(`${reasonOf(received.status)} after ${tail.rows} rows; run the command again to go on`)
      }
      await delay(RETRY_MS * failures)
    }
  }

  /** Appends the rows after `tail` to the part of the file, and verifies them. */
  async #receive(tail: Tail | undefined, limit: number): Promise<Received> {
    const { dataset, format, filters } = this.#given
    if (tail !== undefined && tail.rows > 0 && tail.id === undefined) {
      throw new OperatorError(`${this.#part} has no ids, so it cannot be continued; remove it, and add id to --fields`)
    }
    const query = new URLSearchParams({ ...filters, format })
    if (tail?.id !== undefined) query.set('after', tail.id)
    if (tail !== undefined && Number.isFinite(limit)) query.set('limit', String(limit - tail.rows))
    const response = await this.#get(`/export/${encodeURIComponent(dataset)}?${query}`)
    const total = Math.min(Number(response.headers.get('x-total-count')), limit === 0 ? Infinity : limit)
    const progress = new ProgressLine(process.stderr, { total, noun: 'rows' }, () => performance.now())
    const hash = createHash('sha256')
    let bytes = 0
    const file = await open(this.#part, tail === undefined ? 'w' : 'a', 0o600)
    try {
      if (tail !== undefined) await file.truncate(tail.end)
      let rows = tail?.rows ?? 0
      for await (const chunk of response.body ?? []) {
        await file.writeFile(chunk)
        hash.update(chunk)
        bytes += chunk.length
        // Cells may have line ends: good enough to show.
        if (format !== 'parquet') for (const byte of chunk) if (byte === 10) rows += 1
        if (total > 0) progress.at(Math.min(rows, total))
      }
      await file.sync()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // The connection was cut; the service tells why.
    } finally {
      progress.end()
      await file.close()
    }
    const status = await this.#statusOf(response.headers.get('x-request-id') ?? '')
    const isWhole = status.status === 'complete' && status.bytes === bytes
    if (isWhole && status.sha256 !== hash.digest('hex'))
      throw new OperatorError(`the checksum of ${this.#part} is wrong`)
    return { rows: status.rows, bytes, status, isComplete: isWhole }
  }

  /** Returns what became of an export, once it has ended. */
  async #statusOf(requestId: string): Promise<ExportView> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#get(`/account/exports/${requestId}`)
      const { data } = (await response.json()) as { data: ExportView }
      if (data.status !== 'running' || attempt === MAX_FAILURES) return data
      await delay(RETRY_MS)
    }
  }

  async #get(path: string): Promise<Response> {
    const { url, apiKey } = this.#settings
    let response: Response
    try {
      response = await fetch(url + API_PREFIX + path, { headers: { authorization: `Bearer ${apiKey}` } })
    } catch {
      throw new OperatorError(`no service answers at ${url}; set MINTICK_URL to its address`)
    }
    if (response.ok) return response
    const answer = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined
    throw new OperatorError(answer?.error?.message ?? `${url} answered ${response.status}`)
  }
}

const REASONS: Partial<Record<ExportView['status'], string>> = {
  credits_exhausted: 'the credits are used up',
  key_revoked: 'the API key no longer works',
}

const reasonOf = ({ status }: ExportView) => REASONS[status] ?? 'the connection broke'
