import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { TObject } from 'typebox'
import type { Admission } from '../admission/admit.ts'
import type { Caller } from '../admission/caller.ts'
import { Credits } from '../admission/credits.ts'
import { refusal } from '../admission/streams/stream-refusals.ts'
import type { Clock } from '../clock.ts'
import {
  ClientLeft,
  type Download,
  type DownloadRequest,
  type DownloadWire,
  headersOnly,
  WireBroken,
} from '../http/download.ts'
import { ApiError } from '../model/errors.ts'
import { BLOCK_ROWS, type ExportEnd, type ExportFormat } from '../model/exports.ts'
import type { Selection } from '../model/selection.ts'
import type { BulkExport } from '../store/exports/export-row.ts'
import type { DocRows } from '../store/lists/docs.ts'
import type { ListWalk } from '../store/lists/feed-pages.ts'
import type { Store } from '../store/store.ts'
import { free } from '../thread.ts'
import { columnsOf } from './columns.ts'
import type { Chunk, Encoder } from './encoder.ts'
import type { Encoding } from './encoding.ts'

export interface ExportRequest {
  request: DownloadRequest
  /** Name of the dataset. */
  dataset: string
  /** Schema of a row. */
  schema: TObject
  format: ExportFormat
  selection: Selection | undefined
  /** Credits for each started block of rows. */
  blockCost: number
  walk: ListWalk
  /** The most rows to send. */
  limit: number | undefined
  /** Whether the export goes on an earlier one. */
  isContinued: boolean
}

/** Exports of an account at a time, on this instance: each holds some megabytes. */
export const MAX_AT_ONCE = 4
const RETRY_AFTER_SECONDS = 10
/** Time for a client to read the last rows of an export that is cut. */
const CUT_DELAY_MS = 500

export const CONTENT_TYPES: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

interface Deps {
  store: Store
  admission: Admission
  clock: Clock
  encoding: Encoding
  onError: (error: unknown) => void
}

interface Holds {
  /** For the next block, until it is charged. */
  block: Credits
  /** For a whole file, until its end. */
  whole: Credits
}

/**
 * Sends lists as files. Rows are charged by the block: a block is sent once its charge is committed, and the next one is
 * charged once the kernel has accepted it, unless the client has left. So an export has as many rows as its caller has paid
 * for, and after a crash at most one block less.
 */
export class BulkExports {
  readonly #deps: Deps
  readonly #holds: Holds
  readonly #openByAccount = new Map<string, number>()
  readonly #running = new Set<Promise<unknown>>()
  #isStopping = false

  constructor(deps: Deps) {
    this.#deps = deps
    const { ledger } = deps.store
    const { meter } = deps.admission
    this.#holds = { block: new Credits(ledger, meter, 'requests'), whole: new Credits(ledger, meter, 'streams') }
  }

  /** Starts an export: reads and charges its first block. Throws 402, or 401 if the key has stopped working for its caller. */
  async open(caller: Caller, request: ExportRequest): Promise<Download> {
    const { id: accountId } = caller.account
    const { format, dataset, walk } = request
    const headers = {
      'content-type': CONTENT_TYPES[format],
      'content-disposition': `attachment; filename="${dataset}.${format}"`,
      'x-total-count': walk.totalCount,
    }
    if (request.request.isHead) return headersOnly(headers)
    if (this.#isStopping) throw refusal('shutdown', 0)
    const release = this.#takeSlot(accountId)
    const run = new ExportRun(caller, request, this.#deps, this.#holds, () => this.#isStopping)
    try {
      await run.start(this.#deps.encoding)
    } catch (error) {
      run.close()
      release()
      throw error
    }
    return {
      headers,
      cost: run.credits,
      isLogged: run.credits > 0,
      send: (wire) => {
        const sending = run.send(wire).finally(() => {
          run.close()
          release()
          this.#running.delete(sending)
        })
        this.#running.add(sending)
        return sending
      },
    }
  }

  /** Ends the exports after their current block. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#running)
  }

  #takeSlot(accountId: string): () => void {
    const open = this.#openByAccount.get(accountId) ?? 0
    if (open >= MAX_AT_ONCE) {
      throw new ApiError(
        'RATE_LIMIT_EXCEEDED',
        `An account may run ${MAX_AT_ONCE} exports at a time; wait for one to end`,
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      )
    }
    this.#openByAccount.set(accountId, open + 1)
    return () => {
      const left = (this.#openByAccount.get(accountId) ?? 1) - 1
      if (left === 0) this.#openByAccount.delete(accountId)
      else this.#openByAccount.set(accountId, left)
    }
  }
}

/** One export, from its first block to its end. */
class ExportRun {
  credits = 0
  readonly #caller: Caller
  readonly #request: ExportRequest
  readonly #deps: Deps
  readonly #holds: Holds
  readonly #isStopping: () => boolean
  readonly #hash = createHash('sha256')
  readonly #startedAt: number
  #encoder: Encoder | undefined
  #chunks: AsyncIterator<Chunk> | undefined
  #first: Chunk | undefined
  /** Credits that are held for all blocks that are not charged yet. */
  #held = 0
  #rows = 0
  #bytes = 0

  constructor(caller: Caller, request: ExportRequest, deps: Deps, holds: Holds, isStopping: () => boolean) {
    this.#caller = caller
    this.#request = request
    this.#deps = deps
    this.#holds = holds
    this.#isStopping = isStopping
    this.#startedAt = deps.clock.now()
  }

  async start(encoding: Encoding): Promise<void> {
    const { format, schema, selection = 'all', isContinued, walk, limit } = this.#request
    await this.#holdWhole()
    const columns = columnsOf(schema, selection)
    this.#encoder = await encoding.open({ format, columns, selection, isContinued })
    this.#chunks = ahead(chunksOf(walk.portions, this.#encoder, limit))[Symbol.asyncIterator]()
    this.#first = await this.#next()
    if (this.#request.request.hasLeft()) throw new ClientLeft()
    const refusedBy = this.#first && (await this.#charge(this.#first.rows))
    if (refusedBy === 'credits_exhausted')
      throw this.#deps.admission.outOfCredits(this.#caller, this.#request.blockCost)
    if (refusedBy !== undefined) throw refusal(refusedBy, 0)
  }

  async send(wire: DownloadWire): Promise<number> {
    const end = await this.#sendAll(wire).catch((error: unknown) => this.#endOf(error))
    try {
      await this.#deps.store.bulkExports.save(this.#record(end, this.#hash.digest('hex')))
    } catch (error) {
      this.#deps.onError(error)
    }
    if (end === 'complete') wire.end()
    else {
      // Clients drop what they have not read yet when the connection breaks.
      if (end !== 'disconnected' && end !== 'stalled') await delay(CUT_DELAY_MS)
      wire.cut()
    }
    return this.#bytes
  }

  /** Half a Parquet file is of no use, and it cannot be continued: the credits for all of it are held. */
  async #holdWhole(): Promise<void> {
    const { format, walk, limit = Infinity, blockCost } = this.#request
    if (format !== 'parquet') return
    const rows = Math.min(walk.totalCount, limit)
    const cost = Math.ceil(rows / BLOCK_ROWS) * blockCost
    if (!(await this.#holds.whole.hold(this.#caller.account.id, cost))) {
      throw new ApiError(
        'INSUFFICIENT_CREDITS',
        `This export of ${rows} rows costs ${cost} credits and the balance does not cover it; ndjson and csv can be continued later`,
      )
    }
    this.#held = cost
  }

  /** Frees the encoder and the credits, and ends the reading. */
  close(): void {
    this.#deps.admission.meter.release(this.#caller.account.id, this.#held, 'streams')
    this.#held = 0
    this.#encoder?.close()
    this.#chunks?.return?.().catch(this.#deps.onError)
  }

  async #sendAll(wire: DownloadWire): Promise<ExportEnd> {
    let chunk = this.#first
    this.#first = undefined
    while (chunk !== undefined) {
      this.#rows += chunk.rows
      await wire.write(chunk.bytes, (part) => {
        this.#hash.update(part)
        this.#bytes += part.length
      })
      free(chunk.bytes)
      if (this.#isStopping()) return 'shutdown'
      chunk = await this.#next()
      wire.check()
      const refusedBy = chunk && (await this.#charge(chunk.rows))
      if (refusedBy !== undefined) return refusedBy
    }
    return 'complete'
  }

  #endOf(error: unknown): ExportEnd {
    if (error instanceof WireBroken) return error.by
    this.#deps.onError(error)
    return 'failed'
  }

  async #next(): Promise<Chunk | undefined> {
    const next = await this.#chunks?.next()
    return next?.done ? undefined : next?.value
  }

  /** Charges for rows before they are sent. Returns why they must not be, if so. */
  async #charge(rows: number): Promise<'credits_exhausted' | 'key_revoked' | undefined> {
    const { store, admission } = this.#deps
    const { account, key } = this.#caller
    const { id: accountId } = account
    const credits = Math.ceil(rows / BLOCK_ROWS) * this.#request.blockCost
    if (credits === 0) return undefined
    if (this.#held >= credits) {
      this.#held -= credits
      admission.meter.release(accountId, credits, 'streams')
      admission.meter.holdAnyway(accountId, credits)
    } else if (!(await this.#holds.block.hold(accountId, credits))) return 'credits_exhausted'
    let charged: Awaited<ReturnType<typeof store.bulkExports.charge>>
    try {
      charged = await store.bulkExports.charge({
        record: this.#record('running', null),
        holder: { secretNumber: key.secretNumber, sessionId: key.sessionId, address: this.#request.request.address },
        rows,
        credits,
        request: this.credits === 0 ? this.#request.request.toLogged(0) : undefined,
      })
    } catch (error) {
      admission.meter.release(accountId, credits, 'requests')
      throw error
    }
    if ('refusedBy' in charged) {
      admission.meter.release(accountId, credits, 'requests')
      return charged.refusedBy
    }
    admission.meter.settle(accountId, credits, charged.balance)
    this.credits += credits
    return undefined
  }

  #record(status: BulkExport['status'], sha256: string | null): BulkExport {
    const { request, format } = this.#request
    const { id, accountId, apiKeyId, endpoint } = request.toLogged(this.#bytes)
    return {
      id,
      accountId,
      apiKeyId,
      endpoint,
      format,
      status,
      rows: this.#rows,
      bytes: this.#bytes,
      sha256,
      createdAt: this.#startedAt,
      updatedAt: this.#deps.clock.now(),
    }
  }
}

/** Returns the chunks of a file with the rows of a walk, up to a number of them. */
async function* chunksOf(portions: AsyncIterable<DocRows>, encoder: Encoder, limit = Infinity): AsyncIterable<Chunk> {
  let left = limit
  for await (const portion of portions) {
    const rows = portion.slice(0, left)
    left -= rows.keys.length
    yield* await encoder.rows(rows)
    if (left === 0) break
  }
  yield* await encoder.finish()
}

/** Reads one portion ahead, so that the client and the database work at the same time. */
async function* ahead<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    let next = iterator.next()
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = iterator.next()
      // Its error is thrown when it is awaited.
      next.catch(() => {})
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
