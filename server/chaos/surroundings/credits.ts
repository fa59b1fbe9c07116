import { openAccountOver } from '../../test/unlimited-account.ts'
import type { Fault } from '../fault.ts'
import { ADMIN_TOKEN, Rig } from '../rig.ts'

const INSTANCES = 3
const CALLERS_EACH = 6
const CREDITS = 60

export const credits: Fault = {
  name: 'credits',
  tries: `${INSTANCES} instances that spend the same ${CREDITS} credits at once; X-Credits-Remaining is never negative, and each credit is spent once`,
  engines: ['postgres'],
  async run({ engine, repeats, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      const others = Array.from({ length: INSTANCES - 1 }, () => new Rig(rig.place))
      try {
        for (const other of others) await other.start()
        for (let round = 0; round < repeats; round += 1) {
          const { key } = await openAccountOver(rig.url, ADMIN_TOKEN, CREDITS)
          let spent = 0
          const caller = async (instance: Rig) => {
            for (;;) {
              const reply = await instance.call('/api/v1/entries', { headers: { authorization: `Bearer ${key}` } })
              const remaining = Number(reply.headers.get('x-credits-remaining'))
              tally.check(remaining >= 0, () => `X-Credits-Remaining is ${remaining}`)
              if (reply.status === 402) return
              if (reply.status !== 200) tally.fail(`a call was answered with ${reply.status}`)
              spent += Number(reply.headers.get('x-credits-cost'))
            }
          }
          await Promise.all(
            [rig, ...others].flatMap((instance) => Array.from({ length: CALLERS_EACH }, () => caller(instance))),
          )
          tally.check(spent === CREDITS, () => `${spent} of ${CREDITS} credits were spent`)
        }
      } finally {
        for (const other of others) await other.stop()
      }
    })
  },
}
