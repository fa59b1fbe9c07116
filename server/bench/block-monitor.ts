/** Loaded with `--import` into a server: answers any message with the longest block of its event loop since the last. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 1

// `--import` also applies to worker threads.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  process.on('message', () => {
    process.send?.(Math.max(0, delay.max / 1e6 - RESOLUTION_MS))
    delay.reset()
  })
}
