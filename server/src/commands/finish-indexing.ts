import { OperatorError } from '../config.ts'
import type { Indexing } from '../ingest/indexing/indexing.ts'
import { ProgressLine } from './progress.ts'

/** Waits for the stories and vectors of all entries, with a bar that says how far they are. */
export async function finishIndexing(indexing: Indexing, signal: AbortSignal): Promise<void> {
  const total = await indexing.left()
  const progress = new ProgressLine(process.stderr, { total, noun: 'entries indexed' }, () => performance.now())
  try {
    await indexing.catchUp({ signal, onLeft: (left) => progress.at(Math.max(0, total - left)) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `the entries are in, but not all of them are indexed (${reason}); the service goes on with it`,
    )
  } finally {
    progress.end()
  }
}
