import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { FakeClock, onEveryEngine, storeForSuite } from '../harness.ts'
import { checkStored, simulatedRunner } from '../simulated-sources.ts'
import { START, VendorSimulator } from '../vendor-simulator.ts'

const DAYS = runs(1, 7)
const END = START + DAYS * DAY
const STEP = runs(60, 20) * MINUTE

onEveryEngine('simulated sources', (engine) => {
  const store = storeForSuite(engine)
  const clock = new FakeClock(START + 6 * HOUR)
  const simulator = new VendorSimulator(() => Math.min(clock.now(), END), 0.1)
  before(() => simulator.listen())
  after(() => simulator.close())

  test(`after ${DAYS} days every item is stored once, in its last form`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sources-'))
    const { runner, errors, close } = await simulatedRunner(store(), clock, simulator.settings(), folder)
    // Longer than the content changes, so that failed runs are repeated.
    for (; clock.now() < END + 8 * HOUR; clock.advance(STEP)) await runner.runDue()
    await close()
    assert.deepEqual(errors, [])
    await checkStored(store(), END)
  })
})
