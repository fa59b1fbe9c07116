/** Tests that the history adds up to the balance, both summed and in detail. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { StreamWorld, type TestStream } from '../../../test/streams.ts'
import type { Caller } from '../../admission/caller.ts'
import { MonthlyGrants } from '../../billing/monthly-grants.ts'
import { DAY, isoDay, MINUTE, SECOND } from '../../model/time.ts'
import type { HistoryItem } from './history.ts'

const someCommand = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      calls: fc.array(
        fc.record({
          endpoint: fc.constantFrom('GET /entries', 'GET /assets/:id', 'GET /stats'),
          credits: fc.integer({ min: 0, max: 3 }),
          ageMs: fc.integer({ min: 0, max: 2 * SECOND }),
          isSecondKey: fc.boolean(),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('stream' as const), ms: fc.integer({ min: 1, max: 4 * MINUTE }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40 * DAY }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -DAY, max: DAY }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('grant' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), credits: fc.integer({ min: -60, max: 60 }) }),
  },
)
type Command = typeof someCommand extends fc.Arbitrary<infer T> ? T : never

onEveryEngine('history', (engine) => {
  const store = storeForSuite(engine)

  const call = (world: StreamWorld, { account }: Caller, keys: Caller[], { calls }: Command & { do: 'call' }) =>
    store().requestLog.record(
      calls.map(({ endpoint, credits, ageMs, isSecondKey }) => ({
        id: randomUUID(),
        accountId: account.id,
        apiKeyId: keys[isSecondKey ? 1 : 0]?.key.id ?? '',
        endpoint,
        method: 'GET',
        path: '/api/v1/somewhere',
        query: null,
        statusCode: 200,
        errorCode: null,
        credits,
        durationMs: 1,
        responseBytes: 1,
        createdAt: world.clock.now() - ageMs,
      })),
      [],
      randomUUID(),
    )

  const adjust = (world: StreamWorld, { account }: Caller, credits: number) => {
    const transfer = {
      accountId: account.id,
      credits,
      kind: 'adjustment',
      description: 'test',
      idempotencyKey: `test:${randomUUID()}`,
      at: world.clock.now(),
    } as const
    return credits > 0 ? store().ledger.grant(transfer, 'adjustment') : store().ledger.withdraw(transfer)
  }

  /** Reads the whole history page by page. */
  const readAll = async (accountId: string, isDetailed: boolean, limit: number): Promise<HistoryItem[]> => {
    const all: HistoryItem[] = []
    let total = 1
    while (all.length < total) {
      const page = await store().history.page(accountId, {}, isDetailed, limit, all.length)
      total = page.totalCount
      all.push(...page.data)
      if (page.data.length === 0) assert.equal(all.length, total)
    }
    return all
  }

  const sum = (items: readonly HistoryItem[]) => items.reduce((total, { credits }) => total + credits, 0)

  test('random requests, streams, months and adjustments add up in both forms, and paging loses and repeats nothing', async () => {
    const play = async (commands: Command[], limit: number) => {
      const world = new StreamWorld(store())
      const instance = await world.start()
      const caller = await world.caller('starter', 300)
      const keys = [caller, await world.secondKey(caller)]
      const grants = new MonthlyGrants({
        store: store(),
        clock: world.clock,
        onGranted: async (id) => instance.meter.setBalance(id, await store().ledger.lastBalance(id)),
        onError: (error) => assert.fail(String(error)),
      })
      for (const command of commands) {
        if (command.do === 'call') await call(world, caller, keys, command)
        else if (command.do === 'pass') world.clock.advance(command.ms)
        else if (command.do === 'jump') world.clock.jump(command.ms)
        else if (command.do === 'grant') await grants.run()
        else if (command.do === 'adjust') await adjust(world, caller, command.credits)
        else {
          const stream: TestStream | undefined = await instance.open(caller).catch(() => undefined)
          await world.pass(command.ms, 5 * SECOND)
          await stream?.close()
        }
      }
      await world.stop()

      const { id } = caller.account
      const summed = await readAll(id, false, limit)
      const detailed = await readAll(id, true, limit)
      const balance = await store().ledger.balance(id)
      assert.deepEqual([sum(summed), sum(detailed)], [balance, balance])
      for (const items of [summed, detailed]) {
        assert.equal(new Set(items.map((item) => item.id)).size, items.length)
        assert.ok(items.every(({ createdAt }, index) => createdAt <= (items[index - 1]?.createdAt ?? createdAt)))
      }
      for (const [isDetailed, items] of [
        [false, summed],
        [true, detailed],
      ] as const) {
        const times = items.map(({ createdAt }) => createdAt)
        const [from, to] = [times[Math.floor(times.length * 0.8)] ?? 0, times[Math.floor(times.length * 0.1)] ?? 0]
        for (const type of [undefined, ['usage'], ['grant', 'adjustment'], ['usage', 'expiry']]) {
          const expected = items.filter(
            (item) => item.createdAt >= from && item.createdAt <= to && (type?.includes(item.type) ?? true),
          )
          for (const offset of [0, 1, Math.floor(expected.length / 2), expected.length]) {
            const filters = { ...(type && { type }), createdAfter: from, createdBefore: to }
            const page = await store().history.page(id, filters, isDetailed, limit, offset)
            assert.equal(page.totalCount, expected.length)
            assert.deepEqual(page.data, expected.slice(offset, offset + limit))
          }
        }
      }
      const others = (items: HistoryItem[]) => items.filter(({ type }) => type !== 'usage')
      assert.deepEqual(others(summed), others(detailed))
      for (const item of summed.filter(({ type }) => type === 'usage')) {
        assert.equal(item.description.slice(-10), isoDay(item.createdAt))
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(someCommand, { minLength: 3, maxLength: 25 }), fc.integer({ min: 1, max: 10 }), play),
      { numRuns: runs(4, 15) },
    )
    assert.deepEqual((await store().audit.run()).problems, [])
  })
})
