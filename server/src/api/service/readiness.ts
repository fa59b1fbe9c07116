import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/store.ts'

const FRESH_MS = 1_000
const LIMIT_MS = 2_000

/** Knows whether a charged call would succeed. It tries that at most once per second, and never twice at once. */
export class Readiness {
  readonly #store: Pick<Store, 'probe'>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #drain: { isDraining: boolean }
  #problems: Promise<string[]> = Promise.resolve([])
  #startedAt = -Infinity
  #isRunning = false
  #wasReady = true

  constructor(parts: { store: Pick<Store, 'probe'>; clock: Clock; log: Logger; drain: { isDraining: boolean } }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#log = parts.log
    this.#drain = parts.drain
  }

  /** Lists why charged calls would fail; empty if they would succeed. */
  async problems(): Promise<string[]> {
    if (this.#drain.isDraining) return ['the service is shutting down']
    if (!this.#isRunning && this.#clock.elapsed() >= this.#startedAt + FRESH_MS) {
      this.#startedAt = this.#clock.elapsed()
      this.#problems = this.#check()
    }
    return this.#problems
  }

  async #check(): Promise<string[]> {
    this.#isRunning = true
    const checked = this.#probe().finally(() => {
      this.#isRunning = false
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string[]>((resolve) => {
      timer = setTimeout(() => resolve([`no answer from the store within ${LIMIT_MS} ms`]), LIMIT_MS)
    })
    const problems = await Promise.race([checked, late])
    clearTimeout(timer)
    this.#report(problems)
    return problems
  }

  async #probe(): Promise<string[]> {
    const { probe } = this.#store
    const found = await Promise.all([
      problemsOf('write', probe.write(this.#clock.now())),
      problemsOf('read', probe.read()),
      problemsOf('search', probe.search()),
      problemsOf('migrations', probe.migrations()),
    ])
    return found.flat()
  }

  #report(problems: readonly string[]): void {
    const isReady = problems.length === 0
    if (!isReady && this.#wasReady) this.#log.error({ problems }, 'not ready for charged requests')
    if (isReady && !this.#wasReady) this.#log.info('ready for charged requests again')
    this.#wasReady = isReady
  }
}

async function problemsOf(name: string, check: Promise<void>): Promise<string[]> {
  try {
    await check
    return []
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`]
  }
}
