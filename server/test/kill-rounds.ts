import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Place } from './harness.ts'
import { killHard, spawnService } from './spawn.ts'

const CALLERS = 12

interface Rounds {
  rounds: number
  key: string
  /** Returns after how many answers, and how many milliseconds later, to kill the service. */
  momentOf(round: number): { answers: number; delayMs: number }
}

export interface KillReport {
  /** Ids of the answered requests. */
  answered: string[]
  /** Requests that were in flight when the service died. */
  unanswered: number
  /** Time from each kill but the last until the next process answered. */
  recoveriesMs: number[]
}

/** Starts the service, kills it with SIGKILL while clients call it, and repeats that. */
export async function killRounds(place: Place, { rounds, key, momentOf }: Rounds): Promise<KillReport> {
  const answered: string[] = []
  const recoveriesMs: number[] = []
  let killedAt: number | undefined
  for (let round = 0; round < rounds; round += 1) {
    const { child, url } = await spawnService(place.env)
    const { answers, delayMs } = momentOf(round)
    const wanted = answered.length + answers
    const enough = Promise.withResolvers<void>()
    let isOver = false
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const id = await call(url, key)
        if (id === undefined) continue
        if (killedAt !== undefined) recoveriesMs.push(performance.now() - killedAt)
        killedAt = undefined
        answered.push(id)
        if (answered.length >= wanted) enough.resolve()
      }
    })
    await Promise.race([enough.promise, once(child, 'exit')])
    await delay(delayMs)
    isOver = true
    if (child.exitCode !== null) throw new Error('the service ended by itself')
    const now = performance.now()
    await killHard(child)
    await Promise.all(callers)
    // Only now: answers of this process may still have been on their way.
    killedAt = now
  }
  return { answered, unanswered: rounds * CALLERS, recoveriesMs }
}

/** Returns the request id of a reply, or undefined if the service died before replying. */
async function call(url: string, key: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/entries`, { headers: { authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    return response.status === 200 ? (response.headers.get('x-request-id') ?? undefined) : undefined
  } catch {
    return undefined
  }
}
