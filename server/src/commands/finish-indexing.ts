import { OperatorError } from '../config.ts'
import type { Indexing } from '../ingest/indexing/indexing.ts'
import { ProgressLine } from './progress.ts'

/** Waits until all entries have their clusters and vectors, and shows the progress. */
export async function finishIndexing(indexing: Indexing, signal: AbortSignal): Promise<void> {
  const total = await indexing.left()
  const progress = new ProgressLine(process.stderr, { total, noun: 'entries indexed' }, () => performance.now())
  try {
    await indexing.catchUp({ signal, onLeft: (left) => progress.at(Math.max(0, total - left)) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `all entries are stored, but indexing failed (${reason}); the service will finish it when it runs`,
    )
  } finally {
    progress.end()
  }
}
