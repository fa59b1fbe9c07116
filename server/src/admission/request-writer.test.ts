import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { FakeClock } from '../../test/harness.ts'
import { CommitUnknown } from '../model/errors.ts'
import type { LoggedRequest } from '../model/request-log.ts'
import type { RequestLog } from '../store/accounts/request-log.ts'
import { MemoryMeter } from './memory-meter.ts'
import { RequestWriter } from './request-writer.ts'

/** More turns of the event loop than a batch needs that waits for nothing. */
const TURNS = 10

describe('requests share commits', () => {
  let now = 0
  let commitMs = 0
  before(() => mock.method(performance, 'now', () => now))
  after(() => mock.restoreAll())
  const setup = () => {
    commitMs = 0
    const batches: string[][] = []
    const log: Pick<RequestLog, 'record'> = {
      async record(requests) {
        batches.push(requests.map(({ id }) => id))
        now += commitMs
        await setImmediate()
        return { balances: new Map([['account', { credits: 100, transferId: 1 }]]), refused: new Set() }
      },
    }
    const writer = new RequestWriter(log as RequestLog, new MemoryMeter(new FakeClock()), (error) => {
      throw error
    })
    return { writer, batches }
  }
  let { writer, batches } = setup()
  beforeEach(() => {
    ;({ writer, batches } = setup())
  })
  const charge = (id: string) => writer.commitCharge(request(id, 1))
  const turns = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
  }

  test('a charge that comes alone waits for no others', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    for (const id of ['a', 'b', 'c']) await charge(id)
    assert.deepEqual(batches, [['a'], ['b'], ['c']])
  })

  test('charges wait for as many as the last commit had', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    await Promise.all(['a', 'b', 'c'].map(charge))
    const charges = [charge('d')]
    await turns()
    charges.push(charge('e'))
    await turns()
    assert.equal(batches.length, 1)
    charges.push(charge('f'))
    await Promise.all(charges)
    assert.deepEqual(batches, [
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ])
  })

  test('charges wait for those that arrived during the last commit as well', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const first = charge('a')
    while (batches.length === 0) await setImmediate()
    const second = charge('b')
    await first
    await turns()
    assert.equal(batches.length, 1)
    await Promise.all([second, charge('c')])
    assert.deepEqual(batches, [['a'], ['b', 'c']])
  })

  test('charges wait a millisecond for others that do not come, and then no more', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    await Promise.all(['a', 'b', 'c'].map(charge))
    const late = charge('d')
    await turns()
    mock.timers.tick(1)
    await late
    await charge('e')
    assert.deepEqual(batches.slice(1), [['d'], ['e']])
  })

  test('charges wait as long as the last commit took, within limits', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    for (const [charges, tookMs, waitMs] of [
      [7, 5, 5],
      [3, 5, 3],
      [20, 300, 10],
    ] as const) {
      ;({ writer, batches } = setup())
      commitMs = tookMs
      await Promise.all(Array.from({ length: charges }, (_, place) => charge(`${place}`)))
      const late = charge('late')
      await turns()
      mock.timers.tick(waitMs - 1)
      await turns()
      assert.equal(batches.length, 1)
      mock.timers.tick(1)
      await late
    }
  })

  test('logs wait for a charge, for many logs or for 25 milliseconds', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    writer.log(request('a', 0))
    await turns()
    assert.deepEqual(batches, [])
    await charge('b')
    writer.log(request('c', 0))
    await turns()
    mock.timers.tick(25)
    await turns()
    mock.timers.tick(1)
    await writer.drain()
    for (let count = 0; count < 500; count += 1) writer.log(request(`${count}`, 0))
    await turns()
    mock.timers.tick(1)
    await writer.drain()
    assert.deepEqual(
      batches.map(({ length }) => length),
      [2, 1, 500],
    )
  })

  test('each request is written once, in the order of its kind', async () => {
    const step = fc.constantFrom('charge', 'log', 'turn')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        ;({ writer, batches } = setup())
        const charges: Promise<unknown>[] = []
        for (const [place, kind] of steps.entries()) {
          if (kind === 'charge') charges.push(charge(`charge ${place}`))
          else if (kind === 'log') writer.log(request(`log ${place}`, 0))
          else await setImmediate()
        }
        await Promise.all(charges)
        await writer.drain()
        for (const kind of ['charge', 'log']) {
          const written = batches.flat().filter((id) => id.startsWith(kind))
          const asked = steps.flatMap((own, place) => (own === kind ? [`${kind} ${place}`] : []))
          assert.deepEqual(written, asked)
        }
      }),
    )
  })
})

test('what the first attempt of a commit charged is not refused by the second', async () => {
  let attempts = 0
  const log: Pick<RequestLog, 'record' | 'balanceIfCharged'> = {
    async record() {
      attempts += 1
      if (attempts === 1) throw new CommitUnknown()
      return { balances: new Map([['late', { credits: 4, transferId: 2 }]]), refused: new Set([0]) }
    },
    balanceIfCharged: async ({ accountId }) =>
      accountId === 'early' ? { credits: 0, transferId: 1 } : { credits: 4, transferId: 2 },
  }
  const writer = new RequestWriter(log as RequestLog, new MemoryMeter(new FakeClock()), () => {})
  const charges = ['early', 'late'].map((accountId) => writer.commitCharge({ ...request(accountId, 1), accountId }))
  assert.deepEqual(await Promise.all(charges), [0, 4])
})

const request = (id: string, credits: number): LoggedRequest => ({
  id,
  accountId: 'account',
  apiKeyId: 'key',
  endpoint: 'GET /entries',
  method: 'GET',
  path: '/api/v1/entries',
  query: null,
  statusCode: 200,
  errorCode: null,
  credits,
  durationMs: 1,
  responseBytes: 1,
  createdAt: 0,
})
