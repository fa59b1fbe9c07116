import { setImmediate } from 'node:timers/promises'
import type { Detection } from '../detect/detection.ts'
import type { Happening } from '../detect/happening.ts'

/** Something that happened, at its place among others of its sort. */
export interface Placed {
  place: number
  happening: Happening
  /** The assets whose prices may be asked for. */
  assetKeys: readonly string[]
}

/** The next of what is followed. */
export interface Portion {
  items: readonly Placed[]
  /** Up to here nothing else is to come. */
  reached: number
  /** Whether that is all there is by now. */
  isAll: boolean
}

/** One sort of happenings, each with a place in the order in which the store learned of them. */
export interface Followed {
  /** The name of its progress. */
  readonly task: string
  /** The last place that is taken. */
  head(): Promise<number>
  /** The last place that can be looked at by now. */
  ready(): Promise<number>
  /** What comes after a place, up to another. */
  list(from: number, to: number): Promise<Portion>
  /** What has to be remembered of it after a start, when all up to `done` has been looked at. */
  recall(done: number, memory: Memory): Promise<void>
}

/** What happened before, as detectors are told of it. */
export type Memory = Pick<Detection, 'remembers' | 'remember' | 'rememberHour'>

/** How much of a sort is looked at in one go. */
export const PORTION = 32

/** All from one place to another is remembered. */
export async function rememberAll(followed: Followed, from: number, to: number, memory: Memory): Promise<void> {
  for (let reached = from; reached < to; ) {
    const portion = await followed.list(reached, to)
    for (const { happening } of portion.items) memory.remember(happening)
    reached = portion.reached
    await setImmediate()
  }
}
