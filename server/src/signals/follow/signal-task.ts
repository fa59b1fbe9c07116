import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { shortNameOf } from '../../enrich/mentions/short-name.ts'
import type { SignalChange } from '../../model/signals.ts'
import type { Lease } from '../../store/leases.ts'
import type { TaskProgress } from '../../store/progress.ts'
import type { Store } from '../../store/store.ts'
import { Detection } from '../detect/detection.ts'
import type { Thresholds } from '../detect/thresholds.ts'
import { loadPrices } from './asset-prices.ts'
import { entrySource } from './entry-source.ts'
import { FOLLOWED_DATASETS, filingSource } from './filing-source.ts'
import { mergeByTime } from './merge-by-time.ts'
import { oddsSource } from './odds-source.ts'
import { rememberAll, type Source, type SourceItem } from './source.ts'

const TASKS = 'signals:'

/** How long detectors may run before requests get their turn. */
const YIELD_MS = 5

/** Detectors and the position up to which they know each source. */
interface DetectorState {
  detection: Detection
  reached: readonly number[]
  /** Whether the active signals are restored, too. */
  isRestored: boolean
  /** The number of removed records when the detectors were built. */
  removals: number
}

/**
 * Runs the detectors over new observations and saves the resulting signals. Progress is saved in the same transaction, so after
 * a crash or in another instance nothing is lost and nothing is detected twice.
 */
export class SignalTask {
  readonly #store: Store
  readonly #clock: Clock
  readonly #thresholds: Thresholds
  readonly #sources: readonly Source[]
  readonly #names = new Map<string, string>()
  #namesVersion: string | undefined
  /** Undefined if the detectors have to be rebuilt from the store. */
  #state: DetectorState | undefined

  constructor({ store, clock, thresholds }: { store: Store; clock: Clock; thresholds: Thresholds }) {
    this.#store = store
    this.#clock = clock
    this.#thresholds = thresholds
    this.#sources = [
      entrySource(store),
      ...FOLLOWED_DATASETS.map((dataset) => filingSource(store, dataset)),
      oddsSource(store, (assetKey) => this.#names.has(assetKey)),
    ]
  }

  /**
   * Marks everything in the store as seen at the first start, so that it makes no signals. It takes no lease: a restart
   * would have to wait for the lease of the process that died.
   */
  async begin(): Promise<void> {
    const known = new Set((await this.#store.progress.list(TASKS)).map(({ task }) => task))
    const started: TaskProgress[] = []
    for (const source of this.#sources) {
      if (!known.has(source.task)) started.push({ task: source.task, low: 0, high: await source.head() })
    }
    if (started.length > 0) await this.#store.progress.saveNew(started)
  }

  /** Returns whether there are observations to process. */
  async isBehind(): Promise<boolean> {
    const done = await this.#done()
    for (const [index, source] of this.#sources.entries()) {
      if ((await source.ready()) > (done[index] ?? 0)) return true
    }
    return false
  }

  /** Catches up with the progress of other instances, or restores the state before a restart. */
  async recall(): Promise<void> {
    this.#state = await this.#currentState()
  }

  /**
   * Processes some observations and returns the number of logged events. Signals and progress are one commit under the
   * lease, so an instance that was paused cannot find again what its successor has found.
   */
  async step(lease: Lease): Promise<number> {
    const state = await this.#currentState()
    const { next, reached } = await this.#next(state.reached)
    const progress = this.#sources.map(({ task }, index) => ({ task, low: 0, high: reached[index] ?? 0 }))
    const changes = await this.#detect(state, next)
    const logged = await this.#store.signals.apply(changes, progress, this.#clock.now(), lease)
    this.#state = { ...state, reached, isRestored: state.isRestored || next.length > 0 }
    return logged
  }

  async #next(from: readonly number[]): Promise<{ next: SourceItem[]; reached: number[] }> {
    const pages = []
    for (const [index, source] of this.#sources.entries()) {
      const start = from[index] ?? 0
      pages.push({ from: start, page: await source.list(start, Math.max(start, await source.ready())) })
    }
    return mergeByTime(pages)
  }

  async #detect({ detection, isRestored }: DetectorState, next: readonly SourceItem[]): Promise<SignalChange[]> {
    const [first] = next
    if (first === undefined) return []
    if (!isRestored) detection.restore(await this.#store.signals.listActiveAt(first.observation.at))
    const prices = await loadPrices(this.#store, next)
    const changes: SignalChange[] = []
    let since = performance.now()
    for (const { observation } of next) {
      changes.push(...detection.observe(observation, prices))
      if (performance.now() - since < YIELD_MS) continue
      await setImmediate()
      since = performance.now()
    }
    return changes
  }

  /** Drops the state first: after a failure the detectors may include observations that were not saved. */
  async #currentState(): Promise<DetectorState> {
    const known = this.#state
    this.#state = undefined
    await this.#readNames()
    const done = await this.#done()
    const removals = await this.#store.changes.countRemovals()
    // Detectors cannot forget a single entry.
    if (known?.removals !== removals) return this.#rebuild(done, removals)
    if (known.reached.every((reached, index) => reached === done[index])) return known
    for (const [index, source] of this.#sources.entries()) {
      await rememberAll(source, known.reached[index] ?? 0, done[index] ?? 0, known.detection)
    }
    return { ...known, reached: done, isRestored: false }
  }

  async #rebuild(done: readonly number[], removals: number): Promise<DetectorState> {
    const nameOf = (assetKey: string) => this.#names.get(assetKey) ?? assetKey
    const detection = new Detection({ thresholds: this.#thresholds, nameOf })
    for (const [index, source] of this.#sources.entries()) await source.recall(done[index] ?? 0, detection)
    return { detection, reached: done, isRestored: false, removals }
  }

  async #done(): Promise<number[]> {
    const progress = new Map((await this.#store.progress.list(TASKS)).map(({ task, high }) => [task, high]))
    return this.#sources.map(({ task }) => progress.get(task) ?? 0)
  }

  async #readNames(): Promise<void> {
    const version = await this.#store.assets.version()
    if (version === this.#namesVersion) return
    for (const asset of await this.#store.assets.listAll()) this.#names.set(asset.key, shortNameOf(asset))
    this.#namesVersion = version
  }
}
