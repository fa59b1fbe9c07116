import { setImmediate } from 'node:timers/promises'
import type { Detection } from '../detect/detection.ts'
import type { Observation } from '../detect/observation.ts'

/** Observation with its position in a source. */
export interface SourceItem {
  position: number
  observation: Observation
  /** Assets whose prices detectors may need. */
  assetKeys: readonly string[]
}

/** Next items of a source. */
export interface SourcePage {
  items: readonly SourceItem[]
  /** Position up to which the items are complete. */
  reached: number
  /** Whether there are no more items up to the requested position. */
  isAll: boolean
}

/** One kind of observations. Positions follow the order of commits. */
export interface Source {
  /** Name under which its progress is stored. */
  readonly task: string
  /** Returns the last position. */
  head(): Promise<number>
  /** Returns the last position that can be processed now. */
  ready(): Promise<number>
  /** Lists the next items after `from`, up to `to`. */
  list(from: number, to: number): Promise<SourcePage>
  /** Restores the detectors after a start, when everything up to `done` has been processed. */
  recall(done: number, memory: Memory): Promise<void>
}

/** Part of the detectors that restores their state. */
export type Memory = Pick<Detection, 'lookback' | 'remember' | 'rememberHour'>

/** Items per page. */
export const PAGE_SIZE = 32

/** Restores the observations after `from`, up to `to`. */
export async function rememberAll(source: Source, from: number, to: number, memory: Memory): Promise<void> {
  for (let reached = from; reached < to; ) {
    const page = await source.list(reached, to)
    for (const { observation } of page.items) memory.remember(observation)
    reached = page.reached
    await setImmediate()
  }
}
