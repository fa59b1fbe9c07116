import { type Logger, pino } from 'pino'
import sonicBoom from 'sonic-boom'

const STDOUT = 1
const BATCH_BYTES = 12_288
const FLUSH_EVERY_MS = 250
/** Bytes that wait in memory while the output cannot be written. */
const MAX_WAITING_BYTES = 262_144

/**
 * Creates a log on stdout that neither blocks nor ends the process, even if the disk is full or nobody reads the pipe. It
 * drops lines beyond the limit, and logs their number once it can write again.
 */
export function createLog(level: string): Logger & { readonly droppedLines: number } {
  // Using process.stdout makes a pipe non-blocking. Without the listener, a failed write to it would end the process.
  process.stdout.on('error', () => {})
  const output = new sonicBoom.SonicBoom({
    fd: STDOUT,
    minLength: BATCH_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: MAX_WAITING_BYTES,
    // A full pipe fails like a full disk; the next flush tries again.
    retryEAGAIN: () => false,
  })
  const log = pino({ level }, output)

  let [dropped, allDropped] = [0, 0]
  output.on('drop', () => {
    dropped += 1
    allDropped += 1
  })
  output.on('drain', () => {
    if (dropped === 0) return
    log.warn({ dropped }, 'log lines were dropped because the log could not be written')
    dropped = 0
  })
  output.on('error', () => {})
  process.once('exit', () => {
    try {
      output.flushSync()
    } catch {
      // Nobody can read why.
    }
  })
  return Object.defineProperty(log, 'droppedLines', { get: () => allDropped }) as ReturnType<typeof createLog>
}
