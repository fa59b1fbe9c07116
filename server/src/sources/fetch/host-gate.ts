/** Requests to one host: how many at once, and the least time between their starts. */
export interface Politeness {
  atOnce: number
  gapMs: number
}

interface HostState {
  running: number
  nextAt: number
  /** Called when a request ends. */
  waiting: (() => void)[]
}

/** Keeps requests polite: few at once per host, with pauses in between. */
export class HostGate {
  readonly #hosts = new Map<string, HostState>()
  readonly #now: () => number
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>

  constructor(parts: { now(): number; wait(ms: number, signal: AbortSignal): Promise<void> }) {
    this.#now = parts.now
    this.#wait = parts.wait
  }

  /** Runs `work` when the host is free. */
  async run<T>(host: string, { atOnce, gapMs }: Politeness, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const state = this.#hosts.get(host) ?? { running: 0, nextAt: 0, waiting: [] }
    this.#hosts.set(host, state)
    while (state.running >= atOnce) await new Promise<void>((resolve) => state.waiting.push(resolve))
    state.running += 1
    try {
      const pause = state.nextAt - this.#now()
      state.nextAt = Math.max(state.nextAt, this.#now()) + gapMs
      if (pause > 0) await this.#wait(pause, signal)
      signal.throwIfAborted()
      return await work()
    } finally {
      state.running -= 1
      state.waiting.shift()?.()
      if (state.running === 0 && state.waiting.length === 0 && state.nextAt <= this.#now()) this.#hosts.delete(host)
    }
  }
}
