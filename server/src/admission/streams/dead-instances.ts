import type { Instance } from '../../store/streams/instances.ts'

export const BEAT_MS = 5_000
/** Three beats missed, so that slots are free within half a minute of a death, the removing of them included. */
const SILENT_MS = 15_000

/**
 * Finds out which other instances have died: those whose clock has stood still for a while. It is measured with the own
 * clock, so the clocks need not agree.
 */
export class Silence {
  readonly #heard = new Map<string, { elapsedMs: number; atMs: number }>()
  #lookedMs = Number.NEGATIVE_INFINITY

  /** Of these instances, those that are silent for too long. To be asked at every beat. */
  find(instances: readonly Instance[], nowMs: number): Instance[] {
    // Whoever has not looked for a while (the store was away, the process was paused) knows nothing of the silence since.
    if (nowMs - this.#lookedMs > 2 * BEAT_MS) this.#heard.clear()
    this.#lookedMs = nowMs
    const ids = new Set(instances.map(({ id }) => id))
    for (const id of this.#heard.keys()) if (!ids.has(id)) this.#heard.delete(id)
    return instances.filter(({ id, elapsedMs }) => {
      const last = this.#heard.get(id)
      if (last?.elapsedMs === elapsedMs) return nowMs - last.atMs >= SILENT_MS
      this.#heard.set(id, { elapsedMs, atMs: nowMs })
      return false
    })
  }
}
