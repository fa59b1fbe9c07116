import { hasHaproxy, PROXY_DRAIN_MS, startHaproxy } from '../../test/haproxy.ts'
import { KeepAliveLoad } from '../../test/keep-alive-load.ts'
import { freePort } from '../../test/spawn.ts'
import { type Fault, Skipped, type Tally } from '../fault.ts'
import { Rig } from '../rig.ts'

/** Answers before each SIGTERM. */
const ANSWERS = 200

export const sigterm: Fault = {
  name: 'sigterm',
  tries:
    'SIGTERM under load from keep-alive clients; no request that was sent is reset, and each answer is charged once',
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, random, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      for (let round = 0; round < repeats; round += 1) {
        rig.env.DRAIN_MS = String(Math.floor(random() * 500))
        if (round > 0) await rig.start()
        await using load = new KeepAliveLoad(rig.url, rig.account.key, { endsIfRefused: true })
        await load.hasAnswered(ANSWERS)
        await rig.stop()
        await count(load, rig, tally)
      }
    })
  },
}

export const sigtermBehindProxy: Fault = {
  name: 'sigterm-haproxy',
  tries: 'SIGTERM and restart of two instances in turn behind haproxy, which asks /ready; its clients see no failure',
  engines: ['postgres'],
  async run({ engine, repeats, tally }) {
    if (!hasHaproxy()) throw new Skipped('haproxy is not installed')
    await Rig.with(engine, tally, async (rig) => {
      const ports = [await freePort(), await freePort()]
      const env = (port: number) => ({ PORT: String(port), DRAIN_MS: PROXY_DRAIN_MS })
      const instances = ports.map((port) => new Rig(rig.place, { env: env(port) }))
      const proxy = await startHaproxy(ports)
      try {
        for (const instance of instances) await instance.start()
        await proxy.untilAllUp()
        await using load = new KeepAliveLoad(proxy.url, rig.account.key, { endsIfRefused: false })
        for (let round = 0; round < repeats; round += 1) {
          for (const instance of instances) {
            await load.hasAnswered(ANSWERS)
            await instance.stop()
            await instance.start()
            await proxy.untilAllUp()
          }
        }
        await count(load, rig, tally)
      } finally {
        await proxy.stop()
        for (const instance of instances) await instance.stop()
      }
    })
  },
}

/** Ends the clients and counts their answers and failures. */
async function count(load: KeepAliveLoad, rig: Rig, tally: Tally): Promise<void> {
  await load.end()
  for (const id of load.answered) rig.answered.push(id)
  rig.unanswered += load.failures.length
  tally.tried += load.answered.length + load.failures.length
  for (const failure of load.failures) tally.fail(`a call ended with ${failure}`)
}
