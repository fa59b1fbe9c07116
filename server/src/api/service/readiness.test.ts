import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { pino } from 'pino'
import { FakeClock } from '../../../test/harness.ts'
import { Readiness } from './readiness.ts'

const log = pino({ level: 'silent' })

/** Creates a readiness whose writes settle when the test says so. */
function create() {
  const clock = new FakeClock()
  const writes: PromiseWithResolvers<void>[] = []
  const write = () => {
    const pending = Promise.withResolvers<void>()
    writes.push(pending)
    return pending.promise
  }
  const probe = { write, read: async () => {}, search: async () => {}, migrations: async () => {} }
  const drain = { isDraining: false }
  return { clock, writes, drain, readiness: new Readiness({ store: { probe }, clock, log, drain }) }
}

describe('readiness', () => {
  test('a service that is shutting down is not ready, and does not probe', async () => {
    const { drain, writes, readiness } = create()
    drain.isDraining = true
    assert.deepEqual(await readiness.problems(), ['the service is shutting down'])
    assert.equal(writes.length, 0)
  })

  test('requests of the same second share one probe', async () => {
    const { clock, writes, readiness } = create()
    const answers = [readiness.problems(), readiness.problems()]
    writes[0]?.resolve()
    assert.deepEqual(await Promise.all(answers), [[], []])
    clock.advance(999)
    assert.deepEqual(await readiness.problems(), [])
    assert.equal(writes.length, 1)
    clock.advance(1)
    const next = readiness.problems()
    writes[1]?.reject(new Error('database or disk is full'))
    assert.deepEqual(await next, ['write: database or disk is full'])
  })

  test('a probe that hangs is reported in time, and no second one starts', async (context) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    context.after(() => mock.timers.reset())
    const { clock, writes, readiness } = create()
    const answer = readiness.problems()
    mock.timers.tick(2_000)
    assert.deepEqual(await answer, ['no answer from the store within 2000 ms'])
    clock.advance(60_000)
    assert.equal((await readiness.problems()).length, 1)
    assert.equal(writes.length, 1)

    writes[0]?.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    const again = readiness.problems()
    writes[1]?.resolve()
    assert.deepEqual(await again, [])
  })
})
