/** Compares pages of the request log with a plain computation over all of its rows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { StreamWorld } from '../../../test/streams.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { DAY, MINUTE, SECOND } from '../../model/time.ts'
import { createRandom } from '../../sample/world/random.ts'
import type { RequestLogFilters } from './request-log.ts'

const METHODS = ['GET', 'GET', 'GET', 'POST', 'DELETE']
const PATHS = ['/api/v1/entries', '/api/v1/assets', '/api/v1/account']
const STATUSES = [200, 200, 200, 200, 200, 200, 400, 404]
/** Rare, so that most blocks have none of them. */
const RARE_STATUS = 500

const someBatch = fc.record({
  size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 300, max: 900 })),
  passMs: fc.constantFrom(0, 1, SECOND, MINUTE, DAY, 40 * DAY, -MINUTE, -DAY, -40 * DAY),
  /** The requests of a batch are up to this old. */
  spreadMs: fc.constantFrom(0, 5, SECOND, 10 * MINUTE),
  /** On PostgreSQL, the requests of the current month then move from the default part into one of their own. */
  isPrepared: fc.boolean(),
  /** Older requests are then removed: a part of the time from the first request to the last. */
  removedPart: fc.option(fc.double({ min: 0, max: 1.1, noNaN: true }), { freq: 2, nil: undefined }),
  seed: fc.nat(),
})

const someQuestion = fc.record(
  {
    filters: fc.record(
      {
        method: fc.constantFrom(['GET'], ['POST', 'DELETE'], ['PUT']),
        path: fc.constantFrom(...PATHS, '/nowhere'),
        statusCode: fc.constantFrom([200], [400, 404], [RARE_STATUS]),
      },
      { requiredKeys: [] },
    ),
    keys: fc.constantFrom([0], [1], [0, 1]),
    withoutKey: fc.constantFrom(0, 1),
    /** Bounds as parts of the time from the first request to the last. */
    after: fc.double({ min: -0.1, max: 1, noNaN: true }),
    before: fc.double({ min: 0, max: 1.1, noNaN: true }),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 8_000 })),
  },
  { requiredKeys: ['filters', 'limit', 'offset'] },
)
type Question = typeof someQuestion extends fc.Arbitrary<infer T> ? T : never

onEveryEngine('pages of the request log', (engine) => {
  const store = storeForSuite(engine)

  /** Records batches of requests, with questions in between, since answers are cached. */
  const play = async (
    batches: (typeof someBatch extends fc.Arbitrary<infer T> ? T : never)[],
    questions: Question[],
  ) => {
    const world = new StreamWorld(store())
    const caller = await world.caller('starter', 5_000)
    const keyIds = [caller.key.id, (await world.secondKey(caller)).key.id]
    const other = await world.caller('starter', 5_000)
    /** In the order of commits. */
    let logged: LoggedRequest[] = []
    const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

    const at = (part: number) => {
      const times = logged.map(({ createdAt }) => createdAt)
      const [first, last] = [Math.min(...times), Math.max(...times)]
      return Math.round(first + part * (last - first))
    }
    const ask = async ({ keys, withoutKey, after, before, limit, offset, ...question }: Question) => {
      const filters: RequestLogFilters = {
        ...question.filters,
        ...(keys && { apiKeyId: keys.map((index) => keyIds[index] ?? '') }),
        ...(withoutKey !== undefined && { excludeApiKeyId: keyIds[withoutKey] ?? '' }),
        ...(after !== undefined && { createdAfter: at(after) }),
        ...(before !== undefined && { createdBefore: at(before) }),
      }
      const matching = logged
        .filter((request) => matches(request, filters))
        .reverse()
        .sort((one, two) => two.createdAt - one.createdAt)
      const page = await store().requestLog.page(caller.account.id, filters, limit, offset)
      assert.equal(page.totalCount, matching.length, JSON.stringify(filters))
      assert.deepEqual(idsOf(page.data), idsOf(matching.slice(offset, offset + limit)), JSON.stringify(filters))
    }

    const remove = async (before: number) => {
      const sums = async () => [
        await store().usage.rows(caller.account.id, ''),
        await store().history.page(caller.account.id, {}, false, 100, 0),
        await store().ledger.balance(caller.account.id),
      ]
      const known = await sums()
      // As if it was interrupted, and then run again.
      let portions = 1
      await store().requestLog.removeBefore(before, () => portions-- > 0)
      await store().requestLog.removeBefore(before)
      assert.equal(await store().requestLog.removeBefore(before), 0)
      await store().partitions.dropBefore('request_log', before)
      logged = logged.filter(({ createdAt }) => createdAt >= before)
      assert.deepEqual(await sums(), known)
      const { totalCount } = await store().history.page(caller.account.id, { type: ['usage'] }, true, 5, 0)
      assert.equal(totalCount, logged.filter(({ credits }) => credits > 0).length)
    }

    for (const { size, passMs, spreadMs, isPrepared, removedPart, seed } of batches) {
      if (passMs < 0) world.clock.jump(passMs)
      else world.clock.advance(passMs)
      const random = createRandom(`${seed}`)
      const requests = Array.from({ length: size }, (): LoggedRequest => {
        const { account, key } = random.next() < 0.02 ? other : caller
        const statusCode = random.next() < 0.001 ? RARE_STATUS : random.pick(STATUSES)
        const method = random.pick(METHODS)
        const path = random.pick(PATHS)
        return {
          id: randomUUID(),
          accountId: account.id,
          apiKeyId: account === caller.account ? random.pick(keyIds) : key.id,
          endpoint: `${method} ${path}`,
          method,
          path,
          query: null,
          statusCode,
          errorCode: null,
          credits: statusCode === 200 ? Math.floor(random.between(0, 3)) : 0,
          durationMs: 1,
          responseBytes: 1,
          createdAt: world.clock.now() - Math.floor(random.between(0, spreadMs)),
        }
      })
      const { refused } = await store().requestLog.record(requests, requests.slice(0, 2), randomUUID())
      logged.push(...requests.filter(({ accountId }, place) => accountId === caller.account.id && !refused.has(place)))
      if (isPrepared) await store().partitions.prepare(world.clock.now())
      // Twice, since pages are cached.
      const twice = [...questions, ...questions]
      if (logged.length > 0) for (const question of twice) await ask(question)
      if (logged.length > 0 && removedPart !== undefined) {
        await remove(at(removedPart))
        if (logged.length > 0) for (const question of twice) await ask(question)
      }
    }
  }

  test('random requests, removals, filters and offsets give the pages and totals of all rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someBatch, { minLength: 1, maxLength: 14 }),
        fc.array(someQuestion, { minLength: 3, maxLength: 8 }),
        play,
      ),
      { numRuns: runs(5, 40) },
    )
    assert.deepEqual((await store().audit.run()).problems, [])
  })
})

function matches(request: LoggedRequest, filters: RequestLogFilters): boolean {
  const {
    apiKeyId,
    excludeApiKeyId,
    method,
    path,
    statusCode,
    createdAfter = -Infinity,
    createdBefore = Infinity,
  } = filters
  return (
    (apiKeyId?.includes(request.apiKeyId) ?? true) &&
    excludeApiKeyId !== request.apiKeyId &&
    (method?.includes(request.method) ?? true) &&
    (path === undefined || path === request.path) &&
    (statusCode?.includes(request.statusCode) ?? true) &&
    request.createdAt >= createdAfter &&
    request.createdAt <= createdBefore
  )
}
