import { systemClock } from '../clock.ts'
import { type Config, OperatorError, readConfig } from '../config.ts'
import { loadCatalogue } from '../ingest/catalogue.ts'
import type { Taken } from '../ingest/pipeline.ts'
import { createIngest, openDb, StoreInUse } from '../main.ts'
import { operatorApi } from '../operator/client.ts'
import { createStore } from '../store/store.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { countLines, parseLine, readLines } from './ndjson.ts'
import { Progress } from './progress.ts'

/** Where a file of entries goes: into the store, or to the service that has it open. */
interface Target {
  take(values: readonly unknown[]): Promise<Taken>
  /** Waits for what follows from the entries. */
  finish(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface Summary {
  added: number
  known: number
  refused: { line: number; reason: string }[]
}

const BATCH_LINES = 200
/** A request of the service takes a megabyte; a line that is longer is cut before it is sent. */
const BATCH_BYTES = 500_000
const LONGEST_SENT = 120_000
const REASONS_SHOWN = 20

/** `mintick import entries FILE`: raw entries, one JSON object a line, through the whole pipeline. */
export async function importCommand(args: string[]): Promise<void> {
  const [what, file, surplus] = args
  if (what !== 'entries' || file === undefined || surplus !== undefined) {
    throw new OperatorError('import takes the word entries and a file: mintick import entries FILE.ndjson')
  }
  const total = await countLines(file)
  const signal = stopOnInterrupt()
  const target = await openTarget(readConfig())
  try {
    const summary = await importFile(file, total, target, signal)
    if (!signal.aborted) await target.finish(signal)
    process.stdout.write(summaryText(summary, signal.aborted))
    if (signal.aborted) process.exitCode = 130
    else if (summary.added + summary.known === 0 && summary.refused.length > 0) process.exitCode = 1
  } finally {
    await target.close()
  }
}

async function importFile(file: string, total: number, target: Target, signal: AbortSignal): Promise<Summary> {
  const summary: Summary = { added: 0, known: 0, refused: [] }
  const progress = new Progress(process.stderr, { total, noun: 'lines' }, () => performance.now())
  for await (const { values, lines } of batchesOf(file)) {
    if (signal.aborted) break
    const { added, known, refused } = await target.take(values)
    summary.added += added
    summary.known += known
    summary.refused.push(...refused.map(({ index, reason }) => ({ line: lines[index] ?? 0, reason })))
    progress.at(lines.at(-1) ?? total)
  }
  progress.end()
  return summary
}

/** Lines in portions. What is no JSON goes along as undefined, to be refused like anything else that is no entry. */
async function* batchesOf(file: string) {
  let values: unknown[] = []
  let lines: number[] = []
  let bytes = 0
  for await (const { number, text } of readLines(file)) {
    const value = parseLine(text)
    if (values.length === BATCH_LINES || (bytes > 0 && bytes + text.length > BATCH_BYTES)) {
      yield { values, lines }
      values = []
      lines = []
      bytes = 0
    }
    values.push(value)
    lines.push(number)
    bytes += Math.min(text.length, LONGEST_SENT)
  }
  if (values.length > 0) yield { values, lines }
}

async function openTarget(config: Config): Promise<Target> {
  process.umask(0o077)
  try {
    return await openStore(config)
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error
    return runningService(config)
  }
}

async function openStore(config: Config): Promise<Target> {
  const store = createStore(await openDb(config, systemClock))
  if (await loadCatalogue(store, systemClock.now())) {
    process.stderr.write('The store was empty: it now has the assets and topics that come with Mintick.\n')
  }
  const ingest = await createIngest(config, store, systemClock)
  return {
    take: (values) => ingest.pipeline.take(values),
    async finish(signal) {
      const total = await ingest.indexing.left()
      const progress = new Progress(process.stderr, { total, noun: 'steps of indexing' }, () => performance.now())
      await ingest.indexing.catchUp({ signal, onLeft: (left) => progress.at(Math.max(0, total - left)) })
      progress.end()
    },
    async close() {
      await ingest.close()
      await store.close()
    },
  }
}

/** The service finds stories and meanings itself, in the background. */
function runningService(config: Config): Target {
  const api = operatorApi(config)
  return {
    take: (values) =>
      api<Taken>('POST', '/admin/entries', { entries: values.map((value) => shortened(value) ?? null) }),
    async finish() {
      process.stderr.write('The running service took the entries; it finds their stories in the background.\n')
    },
    close: async () => {},
  }
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('content' in value)) return value
  const { content } = value
  return typeof content === 'string' ? { ...value, content: content.slice(0, LONGEST_SENT) } : value
}

function summaryText({ added, known, refused }: Summary, isStopped: boolean): string {
  const first = `${isStopped ? 'Stopped: added' : 'Added'} ${added} entries, ${known} were there already, ${refused.length} refused\n`
  const reasons = Map.groupBy(refused, ({ reason }) => reason)
  const counted = [...reasons].map(([reason, lines]) => {
    const shown = lines.slice(0, REASONS_SHOWN).map(({ line }) => line)
    const more = lines.length > shown.length ? ' …' : ''
    return `  ${lines.length} because ${reason}: line ${shown.join(', ')}${more}\n`
  })
  return first + counted.join('')
}
