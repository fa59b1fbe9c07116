import { killRounds } from '../../test/kill-rounds.ts'
import type { Fault } from '../fault.ts'
import { Rig } from '../rig.ts'

const MAX_ANSWERS = 60
const MAX_DELAY_MS = 8

export const kill: Fault = {
  name: 'kill',
  tries: '`kill -9` at a random moment under load from 12 clients; every answered call is charged once',
  engines: ['sqlite', 'postgres'],
  async run({ engine, engines, rounds, random, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      await rig.stop()
      const share = Math.max(1, Math.round(rounds / engines.length))
      const report = await killRounds(rig.place, {
        rounds: share,
        key: rig.account.key,
        momentOf: () => ({ answers: 1 + Math.floor(random() * MAX_ANSWERS), delayMs: random() * MAX_DELAY_MS }),
      })
      for (const ms of report.recoveriesMs) tally.recovered(ms)
      tally.tried += share
      for (const id of report.answered) rig.answered.push(id)
      rig.unanswered += report.unanswered
      tally.note = `${report.answered.length} answered calls`
    })
  },
}
