import { TimeoutError } from './errors.ts'

/** An AbortSignal that follows the caller's signal and a timer. */
export class Deadline {
  readonly #stop = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #follow = () => this.#stop.abort(this.#caller?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(caller: AbortSignal | undefined) {
    caller?.throwIfAborted()
    this.#caller = caller
    caller?.addEventListener('abort', this.#follow)
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Starts the timer, or starts it again. */
  start(timeoutMs: number): void {
    this.pause()
    this.#timer = setTimeout(
      () => this.#stop.abort(new TimeoutError(`No answer arrived within ${timeoutMs} ms`)),
      timeoutMs,
    )
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Ends the timer and whatever uses the signal. */
  end(): void {
    this.pause()
    this.#caller?.removeEventListener('abort', this.#follow)
    this.#stop.abort()
  }
}

/** Waits; rejects with the reason of the signal when it aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
