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
import { followEntries } from './entry-happenings.ts'
import { FOLLOWED_DATASETS, followFilings } from './filing-happenings.ts'
import { type Followed, type Placed, rememberAll } from './followed.ts'
import { inOrder } from './in-order.ts'
import { followOdds } from './odds-happenings.ts'

const TASKS = 'signals:'

/** How long detectors may work until callers get their turn. */
const STRETCH_MS = 5

/** The detectors, and for each sort up to where they know it. */
interface Knowledge {
  detection: Detection
  reached: readonly number[]
  /** Whether they know the signals that are active, too. */
  isRestored: boolean
}

/**
 * Shows what comes in to the detectors and writes what they decide. How far it has come is written together with that, so
 * whoever goes on, after a crash or in another instance, loses nothing and finds nothing twice.
 */
export class SignalTask {
  readonly #store: Store
  readonly #clock: Clock
  readonly #thresholds: Thresholds
  readonly #followed: readonly Followed[]
  readonly #names = new Map<string, string>()
  #namesVersion: string | undefined
  /** Undefined when the detectors have to be told everything from the start. */
  #knowledge: Knowledge | undefined

  constructor({ store, clock, thresholds }: { store: Store; clock: Clock; thresholds: Thresholds }) {
    this.#store = store
    this.#clock = clock
    this.#thresholds = thresholds
    this.#followed = [
      followEntries(store),
      ...FOLLOWED_DATASETS.map((dataset) => followFilings(store, dataset)),
      followOdds(store, (assetKey) => this.#names.has(assetKey)),
    ]
  }

  /**
   * Marks everything in the store as seen at the first start, so that it makes no signals. It takes no lease: a restart
   * would have to wait for the lease of the process that died.
   */
  async begin(): Promise<void> {
    const known = new Set((await this.#store.progress.list(TASKS)).map(({ task }) => task))
    const started: TaskProgress[] = []
    for (const followed of this.#followed) {
      if (!known.has(followed.task)) started.push({ task: followed.task, low: 0, high: await followed.head() })
    }
    if (started.length > 0) await this.#store.progress.saveNew(started)
  }

  /** Whether something came in that was not looked at. */
  async isBehind(): Promise<boolean> {
    const done = await this.#done()
    for (const [index, followed] of this.#followed.entries()) {
      if ((await followed.ready()) > (done[index] ?? 0)) return true
    }
    return false
  }

  /** Learns what other instances have looked at, or what was before a start. */
  async recall(): Promise<void> {
    this.#knowledge = await this.#recalled()
  }

  /**
   * Looks at a few things and returns the number of events that were logged. Signals and progress are one commit under
   * the lease, so an instance that was paused cannot find again what its successor has found.
   */
  async step(lease: Lease): Promise<number> {
    const knowledge = await this.#recalled()
    const { next, reached } = await this.#next(knowledge.reached)
    const progress = this.#followed.map(({ task }, index) => ({ task, low: 0, high: reached[index] ?? 0 }))
    const changes = await this.#detect(knowledge, next)
    const logged = await this.#store.signals.apply(changes, progress, this.#clock.now(), lease)
    this.#knowledge = { ...knowledge, reached, isRestored: knowledge.isRestored || next.length > 0 }
    return logged
  }

  async #next(from: readonly number[]): Promise<{ next: Placed[]; reached: number[] }> {
    const portions = []
    for (const [index, followed] of this.#followed.entries()) {
      const start = from[index] ?? 0
      portions.push({ from: start, portion: await followed.list(start, Math.max(start, await followed.ready())) })
    }
    return inOrder(portions)
  }

  async #detect({ detection, isRestored }: Knowledge, next: readonly Placed[]): Promise<SignalChange[]> {
    const [first] = next
    if (first === undefined) return []
    if (!isRestored) detection.restore(await this.#store.signals.listActiveAt(first.happening.at))
    const prices = await loadPrices(this.#store, next)
    const changes: SignalChange[] = []
    let since = performance.now()
    for (const { happening } of next) {
      changes.push(...detection.take(happening, prices))
      if (performance.now() - since < STRETCH_MS) continue
      await setImmediate()
      since = performance.now()
    }
    return changes
  }

  /** If anything goes wrong from here on, the detectors may know of what is not written: they are told anew. */
  async #recalled(): Promise<Knowledge> {
    const known = this.#knowledge
    this.#knowledge = undefined
    await this.#readNames()
    const done = await this.#done()
    if (known === undefined) return this.#recalledFromStart(done)
    if (known.reached.every((reached, index) => reached === done[index])) return known
    for (const [index, followed] of this.#followed.entries()) {
      await rememberAll(followed, known.reached[index] ?? 0, done[index] ?? 0, known.detection)
    }
    return { ...known, reached: done, isRestored: false }
  }

  async #recalledFromStart(done: readonly number[]): Promise<Knowledge> {
    const nameOf = (assetKey: string) => this.#names.get(assetKey) ?? assetKey
    const detection = new Detection({ thresholds: this.#thresholds, nameOf })
    for (const [index, followed] of this.#followed.entries()) await followed.recall(done[index] ?? 0, detection)
    return { detection, reached: done, isRestored: false }
  }

  async #done(): Promise<number[]> {
    const progress = new Map((await this.#store.progress.list(TASKS)).map(({ task, high }) => [task, high]))
    return this.#followed.map(({ task }) => progress.get(task) ?? 0)
  }

  async #readNames(): Promise<void> {
    const version = await this.#store.assets.version()
    if (version === this.#namesVersion) return
    for (const asset of await this.#store.assets.listAll()) this.#names.set(asset.key, shortNameOf(asset))
    this.#namesVersion = version
  }
}
