/** Loaded with `--import` into the service: each message, in milliseconds, sets its clock forward or back. */
import { isMainThread } from 'node:worker_threads'

// `--import` also applies to worker threads, which get their times from the main thread.
if (isMainThread) {
  const now = Date.now
  let shiftMs = 0
  Date.now = () => now() + shiftMs
  process.on('message', (ms) => {
    shiftMs += Number(ms)
  })
  // Waiting for messages would keep the process alive.
  process.channel?.unref()
}
