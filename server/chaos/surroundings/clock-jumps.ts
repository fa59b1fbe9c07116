import { setTimeout as delay } from 'node:timers/promises'
import { spawnService } from '../../test/spawn.ts'
import type { Fault } from '../fault.ts'
import { Rig } from '../rig.ts'

const DAY_MS = 86_400_000
const JUMPS_DAYS = [40, -40, -40, 40]
const SHIFTED_CLOCK = new URL('shifted-clock.ts', import.meta.url).href

export const clockJumps: Fault = {
  name: 'clock-jumps',
  tries:
    'a machine whose clock jumps by 40 days, forward and back, while clients call; no call fails and the ledger adds up',
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, tally }) {
    await Rig.with(
      engine,
      tally,
      async (rig) => {
        for (let round = 0; round < Math.ceil(repeats / 5); round += 1) {
          for (const days of JUMPS_DAYS) {
            const statuses = await rig.underLoad(4, async () => {
              await delay(200)
              rig.child.send(days * DAY_MS)
              await delay(200)
              await rig.recover(tally)
            })
            const odd = [...statuses.keys()].filter((status) => status !== 200)
            tally.check(odd.length === 0, () => `calls were answered with ${odd.join()} after a jump of ${days} days`)
          }
        }
      },
      {
        env: { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}` },
        start: (env) => spawnService(env, (command, args) => [command, [...args]]),
      },
    )
  },
}
