import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { type Config, OperatorError, readConfig } from '../config.ts'
import { createIngest, openDb, StoreInUse } from '../drivers.ts'
import type { ReindexState } from '../ingest/entries/reindex.ts'
import { createStore } from '../store/store.ts'
import { adminClient } from './admin-client.ts'
import { finishIndexing } from './finish-indexing.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { ProgressLine } from './progress.ts'

const POLL_MS = 500

/** `mintick reindex`: enriches all entries again, in the running service if it has the store open. */
export async function reindexCommand(): Promise<void> {
  const config = readConfig()
  const signal = stopOnInterrupt()
  const isDone = await reindexStore(config, signal).catch((error: unknown) => {
    if (error instanceof StoreInUse) return reindexService(config, signal)
    throw error
  })
  if (!isDone) {
    process.stdout.write('Interrupted; run the command again to resume\n')
    process.exitCode = 130
  }
}

async function reindexStore(config: Config, signal: AbortSignal): Promise<boolean> {
  process.umask(0o077)
  const store = createStore(await openDb(config, systemClock))
  try {
    const ingest = await createIngest(config, { store, clock: systemClock })
    try {
      const show = stateProgress()
      await ingest.reindex.run({ signal, onState: show })
      if (signal.aborted) return false
      process.stdout.write(doneText(ingest.reindex.state))
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
  const show = stateProgress()
  let state = await api<ReindexState>('POST', '/admin/reindex', {})
  while (state.isRunning && !signal.aborted) {
    show(state)
    await setTimeout(POLL_MS)
    state = await api<ReindexState>('GET', '/admin/reindex')
  }
  if (state.error !== null) throw new OperatorError(`the service failed to reindex: ${state.error}`)
  process.stdout.write(signal.aborted ? 'The service continues in the background\n' : doneText(state))
  return true
}

function stateProgress(): (state: ReindexState) => void {
  let progress: ProgressLine | undefined
  return ({ done, total }) => {
    if (total === 0) return
    progress ??= new ProgressLine(process.stderr, { total, noun: 'entries' }, () => performance.now())
    progress.at(done)
    if (done >= total) progress.end()
  }
}

const doneText = ({ total, changed }: ReindexState) => `Reindexed ${total} entries; ${changed} changed\n`
