import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { type Config, OperatorError, readConfig } from '../config.ts'
import { createIngest, openDb, StoreInUse } from '../drivers.ts'
import type { ReindexStatus } from '../ingest/entries/reindex.ts'
import { LeaseTaken } from '../store/leases.ts'
import { createStore } from '../store/store.ts'
import { adminClient } from './admin-client.ts'
import { finishIndexing } from './finish-indexing.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { ProgressLine } from './progress.ts'

const POLL_MS = 500

/**
 * `mintick reindex`: enriches all entries again, in the running service if it has the store open. `--status` shows how
 * many entries were read by older rules, `--pause` pauses the service.
 */
export async function reindexCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { status: { type: 'boolean', default: false }, pause: { type: 'boolean', default: false } },
  })
  const config = readConfig()
  if (values.pause) return showStatus(await adminClient(config)<ReindexStatus>('POST', '/admin/reindex/pause', {}))
  if (values.status) return showStatus(await findStatus(config))
  const signal = stopOnInterrupt()
  const isDone = await reindexStore(config, signal).catch((error: unknown) => {
    if (error instanceof StoreInUse) return reindexService(config, signal)
    if (error instanceof LeaseTaken) throw new OperatorError('Another instance is reindexing this store; let it finish')
    throw error
  })
  if (!isDone) {
    process.stdout.write('Interrupted; run the command again to resume\n')
    process.exitCode = 130
  }
}

async function findStatus(config: Config): Promise<ReindexStatus> {
  process.umask(0o077)
  const db = await openDb(config, systemClock).catch((error: unknown) => {
    if (error instanceof StoreInUse) return undefined
    throw error
  })
  if (db === undefined) return adminClient(config)<ReindexStatus>('GET', '/admin/reindex')
  const store = createStore(db)
  try {
    const ingest = await createIngest(config, { store, clock: systemClock })
    try {
      return await ingest.reindex.status()
    } finally {
      await ingest.stop()
    }
  } finally {
    await store.close()
  }
}

function showStatus({ older, entries, isRunning, isPaused, done, total }: ReindexStatus): void {
  process.stdout.write(`${older} of ${entries} entries were read by older rules\n`)
  if (isRunning || isPaused)
    process.stdout.write(`Reindexing ${isPaused ? 'is paused' : 'runs'}: ${done} of ${total} done\n`)
}

async function reindexStore(config: Config, signal: AbortSignal): Promise<boolean> {
  process.umask(0o077)
  const store = createStore(await openDb(config, systemClock))
  try {
    const ingest = await createIngest(config, { store, clock: systemClock })
    try {
      await ingest.reindex.run({ signal, onStep: progressLine() })
      if (signal.aborted) return false
      process.stdout.write(doneText(await ingest.reindex.status()))
      await finishIndexing(ingest.indexing, signal)
      return !signal.aborted
    } finally {
      await ingest.stop()
    }
  } finally {
    await store.close()
  }
}

/** Starts reindexing in the service and shows its progress. The service continues if this command is interrupted. */
async function reindexService(config: Config, signal: AbortSignal): Promise<boolean> {
  const api = adminClient(config)
  const show = progressLine()
  let state = await api<ReindexStatus>('POST', '/admin/reindex', {})
  while (state.isRunning && !signal.aborted) {
    show(state)
    await setTimeout(POLL_MS)
    state = await api<ReindexStatus>('GET', '/admin/reindex')
  }
  if (state.error !== null) throw new OperatorError(`the service failed to reindex: ${state.error}`)
  process.stdout.write(signal.aborted ? 'The service continues in the background\n' : doneText(state))
  return true
}

function progressLine(): (state: { done: number; total: number }) => void {
  let progress: ProgressLine | undefined
  return ({ done, total }) => {
    if (total === 0) return
    progress ??= new ProgressLine(process.stderr, { total, noun: 'entries' }, () => performance.now())
    progress.at(done)
    if (done >= total) progress.end()
  }
}

const doneText = ({ total, changed }: ReindexStatus) => `Reindexed ${total} entries; ${changed} changed\n`
