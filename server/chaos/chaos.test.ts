import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditCharges } from '../test/charges.ts'
import { runs } from '../test/depth.ts'
import { createPlace, type Engine, onEveryEngine } from '../test/harness.ts'
import { brokenFraming } from './clients/hostile/framing.ts'
import { Random } from './clients/hostile/random.ts'
import { hostileRequest, listOperations } from './clients/hostile/requests.ts'
import { Tally } from './fault.ts'
import { FAULTS, runFaults } from './faults.ts'

/** Faults of a quick run; the others take longer. */
const QUICK: Record<Engine, readonly string[]> = {
  sqlite: ['hostile', 'bytes', 'nested-bodies', 'clock-jumps'],
  postgres: ['hostile'],
}

onEveryEngine('a short run of chaos', (engine) => {
  test('nothing goes wrong', async (context) => {
    const names = runs(0, 1) === 0 ? QUICK[engine] : FAULTS.map(({ name }) => name)
    const scale = { rounds: runs(1, 10), requests: runs(300, 3_000), repeats: 1 }
    const results = await runFaults({ names, engines: [engine], seed: 1, ...scale, onResult: () => {} })
    for (const { name, skipped } of results) if (skipped !== undefined) context.diagnostic(`${name}: ${skipped}`)
    assert.deepEqual(
      results.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)),
      [],
    )
  })
})

describe('chaos', () => {
  const keys = { own: 'mtk_own', admin: 'admin' }
  const operations = listOperations()

  test('a seed repeats the same requests, and another one makes others', () => {
    const bytes = (seed: number) =>
      JSON.stringify(
        Array.from({ length: 50 }, (_, index) => {
          const random = new Random(seed + index)
          return [hostileRequest(operations, ['id'], keys, random), brokenFraming(keys.own, random)]
        }),
      )
    assert.equal(bytes(1), bytes(1))
    assert.notEqual(bytes(1), bytes(1_000))
  })

  test('an answered call without a charge, and a slow recovery, are counted as wrong', async () => {
    const place = await createPlace('sqlite')
    const expected = { accountId: 'nobody', openingBalance: 0, answered: ['lost'], unanswered: 0 }
    assert.deepEqual(await auditCharges(place, expected), ['the answered request lost has 0 charge records'])
    await place.remove()
    const tally = new Tally()
    tally.recovered(9_000)
    tally.recovered(11_000)
    assert.equal(tally.wrong, 1)
  })
})
