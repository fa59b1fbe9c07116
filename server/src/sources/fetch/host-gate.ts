/** Requests to one host: how many at once, and the least time between their starts. */
export interface Politeness {
  atOnce: number
  gapMs: number
  /** The name of a limit that several hosts and all instances share. */
  shared?: string
}

interface HostState {
  running: number
  nextAt: number
  /** Those that wait for a place, first come, first served. */
  waiting: (() => void)[]
}

/** Keeps requests polite: few at once per host, with pauses in between. */
export class HostGate {
  readonly #hosts = new Map<string, HostState>()
  readonly #elapsed: () => number
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>

  constructor(parts: { elapsed(): number; wait(ms: number, signal: AbortSignal): Promise<void> }) {
    this.#elapsed = parts.elapsed
    this.#wait = parts.wait
  }

  /** Runs `work` when the host is free. An aborted request gives its place up when its turn comes. */
  async run<T>(host: string, { atOnce, gapMs }: Politeness, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const state = this.#hosts.get(host) ?? { running: 0, nextAt: 0, waiting: [] }
    this.#hosts.set(host, state)
    if (state.running < atOnce) state.running += 1
    else await new Promise<void>((resolve) => state.waiting.push(resolve))
    try {
      signal.throwIfAborted()
      const now = this.#elapsed()
      const pause = state.nextAt - now
      state.nextAt = Math.max(state.nextAt, now) + gapMs
      if (pause > 0) await this.#wait(pause, signal)
      return await work()
    } finally {
      this.#leave(host, state)
    }
  }

  /** Hands the place over to the next request. */
  #leave(host: string, state: HostState): void {
    const next = state.waiting.shift()
    if (next === undefined) state.running -= 1
    else next()
    if (state.running === 0 && state.nextAt <= this.#elapsed()) this.#hosts.delete(host)
  }
}
