import { randomBytes } from 'node:crypto'
import type { Fault } from '../fault.ts'
import { Rig } from '../rig.ts'

/** An address may fail 600 times before it is throttled. */
const MIN_GUESSES = 800
const GUESSES_PER_REPEAT = 200
const GUESSERS = 8

export const adminGuesses: Fault = {
  name: 'admin-guesses',
  tries: 'guesses of the admin token; none is let in, most are throttled, and the right token always works',
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      let left = Math.max(MIN_GUESSES, repeats * GUESSES_PER_REPEAT)
      let throttled = 0
      const guesser = async () => {
        while (left-- > 0) {
          const authorization = `Bearer ${randomBytes(12).toString('hex')}`
          const { status } = await rig.call('/admin/accounts', { headers: { authorization } })
          if (status === 429) throttled += 1
          tally.check(status === 401 || status === 429, () => `a guess was answered with ${status}`)
        }
      }
      const owner = async () => {
        while (left > 0) {
          const { status } = await rig.admin('/accounts')
          tally.check(status === 200, () => `the right token was answered with ${status}`)
        }
      }
      await Promise.all([owner(), ...Array.from({ length: GUESSERS }, guesser)])
      tally.check(throttled > 0, () => 'no guess was throttled')
      tally.note = `${throttled} guesses throttled`
    })
  },
}
