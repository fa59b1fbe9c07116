import { Deadline, sleep } from './deadline.ts'
import { ConnectionError, MintickError } from './errors.ts'
import type { ResponseInfo } from './response.ts'
import { Sha256 } from './sha256.ts'
import { type Params, path, type RequestOptions, retryDelayMs, type Transport } from './transport.ts'

/** What became of an export. */
interface ExportStatus {
  status: string
  rows: number
  bytes: number
  sha256: string | null
}

/** Parameters of an export: those of its list, such as `assetKey`, and of the file. */
export interface ExportParams {
  /** Id of the row to go on after. */
  after?: string | undefined
  /** The most rows to send. */
  limit?: number | undefined
  /** Filters and the sort order of the list. */
  [name: string]: unknown
}

/** Settings of an export. */
export interface ExportOptions extends RequestOptions {
  /** Called with the rows received so far, and the number of rows that match. */
  onProgress?: ((rows: number, totalRows: number) => void) | undefined
}

/** The service ended an export early, or its bytes are not those that were sent. */
export class ExportError extends MintickError {
  override name = 'ExportError'
  /** Why it ended, such as `credits_exhausted`. */
  readonly status: string
  /** Id of the last row, to go on with as the parameter `after`. */
  readonly lastId: string | undefined

  /** Creates the error. */
  constructor(message: string, status: string, lastId?: string) {
    super(message)
    this.status = status
    this.lastId = lastId
  }
}

/** How long the service may send nothing. */
const SILENCE_MS = 60_000
const MAX_FAILURES = 5

/** Exports of whole lists. */
export class Exports {
  readonly #transport: Transport

  /** Creates the resource alone, for bundles without the others. */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Iterates over all rows of a dataset, such as `entries` or `insider-trades`, with the filters of its list. If the
   * connection breaks, it goes on after the last row. Throws `ExportError` if the service ends the export.
   */
  async *rows<Row extends { id?: string } = Record<string, unknown> & { id: string }>(
    dataset: string,
    params: ExportParams = {},
    options: ExportOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    let { after: lastId } = params
    let [rows, failures] = [0, 0]
    while (true) {
      const limit = params.limit === undefined ? undefined : params.limit - rows
      if (limit === 0) return
      try {
        let line = ''
        const decoder = new TextDecoder()
        for await (const { bytes, totalRows } of this.#verified(
          dataset,
          { ...params, format: 'ndjson', after: lastId, limit },
          options,
        )) {
          const lines = (line + decoder.decode(bytes, { stream: true })).split('\n')
          line = lines.pop() ?? ''
          for (const text of lines) {
            const row = JSON.parse(text) as Row
            failures = 0
            rows += 1
            lastId = row.id
            yield row
          }
          options.onProgress?.(rows, totalRows)
        }
        return
      } catch (error) {
        if (error instanceof ExportError) throw new ExportError(error.message, error.status, lastId)
        const delayMs = retryDelayMs(error, failures)
        // Without ids there is no place to go on at.
        const isLost = rows > 0 && lastId === undefined
        if (delayMs === undefined || isLost || failures >= (options.maxRetries ?? MAX_FAILURES)) throw error
        failures += 1
        await sleep(delayMs, options.signal)
      }
    }
  }

  /**
   * Iterates over the bytes of a file in any format, and throws if they are incomplete or their checksum is wrong. It is
   * not repeated: a repeated Parquet file would be paid for again.
   */
  async *bytes(
    dataset: string,
    params: ExportParams = {},
    options: ExportOptions = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const { bytes } of this.#verified(dataset, params, options)) yield bytes
  }

  /** Iterates over the bytes of one request, and compares them with what the service has sent. */
  async *#verified(dataset: string, params: Params, options: ExportOptions) {
    const deadline = new Deadline(options.signal)
    const hash = new Sha256()
    let received = 0
    let response: ResponseInfo | undefined
    let broken: unknown
    try {
      deadline.start(this.#transport.timeoutOf(options))
      const opened = await this.#transport.download(path`/api/v1/export/${dataset}`, params, deadline)
      response = opened.response
      const totalRows = Number(response.headers.get('x-total-count'))
      const reader = opened.body.getReader()
      while (true) {
        deadline.start(SILENCE_MS)
        const { done, value } = await reader.read().catch((cause) => {
          if (deadline.signal.aborted) throw deadline.signal.reason
          throw new ConnectionError('The connection of the export broke', { cause })
        })
        deadline.pause()
        if (done) break
        hash.update(value)
        received += value.length
        yield { bytes: value, totalRows }
      }
    } catch (error) {
      if (response === undefined || !(error instanceof ConnectionError)) throw error
      broken = error
    } finally {
      deadline.end()
    }
    const { status, bytes, sha256 } = await this.#statusOf(response.requestId ?? '', options)
    if (status === 'credits_exhausted' || status === 'key_revoked') {
      throw new ExportError(`The export ended early: ${status}`, status)
    }
    if (broken !== undefined) throw broken
    if (status !== 'complete' || bytes !== received) throw new ConnectionError('The connection of the export broke')
    if (sha256 !== hash.hex()) throw new ExportError('The checksum of the export is wrong', status)
  }

  async #statusOf(requestId: string, options: RequestOptions): Promise<ExportStatus> {
    const { body } = await this.#transport.send('GET', path`/api/v1/account/exports/${requestId}`, undefined, options)
    return body.data as ExportStatus
  }
}
