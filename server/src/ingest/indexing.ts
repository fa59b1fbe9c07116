import { performance } from 'node:perf_hooks'
import type { VectorIndex } from '../search/vector-index.ts'
import { every } from './every.ts'
import type { VectorTask } from './vectors.ts'

const LOOK_EVERY_MS = 500
/** Above this share of the main thread, callers come first: a little is done at each look, not all. */
const BUSY = 0.5

/** Keeps vectors and their index up with the entries, in the background. */
export function startIndexing(parts: { vectors: VectorTask; index: VectorIndex; onError: (error: unknown) => void }): {
  stop(): Promise<void>
} {
  const { vectors, index, onError } = parts
  let isStopped = false
  let load = performance.eventLoopUtilization()

  const isBusy = () => {
    const { utilization } = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    return utilization > BUSY
  }
  const look = async () => {
    await index.follow(() => isStopped)
    while (!isStopped && (await vectors.step())) {
      await index.follow(() => isStopped)
      if (isBusy()) return
    }
  }
  const timer = every(LOOK_EVERY_MS, look, onError)
  return {
    async stop() {
      isStopped = true
      await timer.stop()
    },
  }
}
