import type { Fault } from '../fault.ts'
import { Rig } from '../rig.ts'

const MB = 1_048_576
/** An answer to another client may not wait longer for a hostile body. */
const MAX_WAIT_MS = 1_000

export const nestedBodies: Fault = {
  name: 'nested-bodies',
  tries:
    'JSON bodies of 1 MB that are nested, wide or endless strings; other clients wait less than a second meanwhile',
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      const bodies = [
        '['.repeat(MB),
        '['.repeat(MB / 2) + ']'.repeat(MB / 2),
        `{"name":${'{"a":'.repeat(MB / 6)}1${'}'.repeat(MB / 6)}}`,
        `{"name":${'['.repeat(31)}${'[],'.repeat(MB / 3 - 40)}[]${']'.repeat(31)}}`,
        `{"name":"${'\\u0000'.repeat(MB / 6 - 5)}"}`,
        `{${'"a":{},'.repeat(MB / 7 - 2)}"a":{}}`,
        `"${'\\'.repeat(MB - 2)}"`,
      ]
      const send = async (body: string) => {
        const own = await rig.api('/account/api-keys', { method: 'POST', body })
        tally.check(own.status === 400, () => `answer ${own.status} to ${body.slice(0, 20)}…`)
        const operator = await rig.admin('/import/entries', { method: 'POST', body })
        tally.check(operator.status === 400, () => `answer ${operator.status} to the operator's ${body.slice(0, 20)}…`)
      }
      let longestMs = 0
      for (let round = 0; round < repeats; round += 1) {
        for (const body of bodies) {
          let waitedMs = await longestWait(rig, () => send(body))
          // A body that blocks the service does it each time, a machine that is busy with something else does not.
          for (let again = 0; waitedMs >= MAX_WAIT_MS && again < 2; again += 1) {
            waitedMs = Math.min(waitedMs, await longestWait(rig, () => send(body)))
          }
          longestMs = Math.max(longestMs, waitedMs)
        }
      }
      tally.note = `another client waited up to ${Math.round(longestMs)} ms`
      tally.check(longestMs < MAX_WAIT_MS, () => `another client waited ${Math.round(longestMs)} ms`)
    })
  },
}

/** Returns how long another client waits at most while `work` runs. */
async function longestWait(rig: Rig, work: () => Promise<void>): Promise<number> {
  let longestMs = 0
  let isOver = false
  const other = (async () => {
    while (!isOver) {
      const from = performance.now()
      await rig.call('/health')
      longestMs = Math.max(longestMs, performance.now() - from)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await other
  }
  return longestMs
}
