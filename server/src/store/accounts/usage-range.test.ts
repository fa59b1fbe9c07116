/** Compares the usage of ranges with a plain computation over the request log and the charges of streams. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { StreamWorld } from '../../../test/streams.ts'
import { DAY, HOUR, isoDay, MINUTE, SECOND, startOfDay } from '../../model/time.ts'
import { createRandom } from '../../sample/world/random.ts'
import { createStore } from '../store.ts'
import { type UsageGrouping, UsageRanges } from './usage-range.ts'

interface Charge {
  endpoint: string
  apiKeyId: string
  succeeded: number
  failed: number
  credits: number
  minutes: number
  createdAt: number
}

const ENDPOINTS = ['GET /entries', 'GET /assets', 'GET /account']
const FIELDS = ['day', 'endpoint', 'key'] as const
const MAX_GROUPS = 1_000

const someRange = fc.record({
  fromMs: fc.integer({ min: -DAY, max: 5 * DAY }),
  lengthMs: fc.oneof(fc.constantFrom(0, 1, HOUR, DAY), fc.integer({ min: 0, max: 6 * DAY })),
  /** Both ends at the start of a day. */
  isWhole: fc.boolean(),
  groupBy: fc.subarray<UsageGrouping>([...FIELDS]),
})

onEveryEngine('usage of a range', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  before(async () => {
    opened = await openTestDb(engine)
  })
  after(() => opened.close())

  const listCharges = async (accountId: string): Promise<Charge[]> => [
    ...(await opened.db.ledger.query<Charge>(
      `select endpoint, api_key_id as "apiKeyId", case when status_code < 400 then 1 else 0 end as succeeded,
         case when status_code < 400 then 0 else 1 end as failed, credits, 0 as minutes, created_at as "createdAt"
       from request_log where account_id = $1`,
      [accountId],
    )),
    ...(await opened.db.ledger.query<Charge>(
      `select endpoint, api_key_id as "apiKeyId", 0 as succeeded, 0 as failed, credits, minutes,
         created_at as "createdAt"
       from metered_charges where account_id = $1`,
      [accountId],
    )),
  ]

  const add = (items: readonly Charge[], of: (item: Charge) => number) => items.reduce((sum, item) => sum + of(item), 0)
  const sumsOf = (own: readonly Charge[]) => ({
    requests: add(own, ({ succeeded, failed }) => succeeded + failed),
    failed: add(own, ({ failed }) => failed),
    credits: add(own, ({ credits }) => credits),
  })
  const sumsBy = (charges: readonly Charge[], of: (charge: Charge) => string) =>
    new Map([...Map.groupBy(charges, of)].map(([name, own]) => [name, sumsOf(own)]))

  test('any range and grouping adds up to the charges in it, while requests go on', async () => {
    const store = createStore(opened.db)
    const world = new StreamWorld(store)
    const caller = await world.caller('professional', 1_000_000)
    const accountId = caller.account.id
    const keys = [caller.key.id, randomUUID()]
    const instance = await world.start()
    await instance.open(caller)
    const start = startOfDay(world.clock.now())
    const random = createRandom('usage range')
    const record = (count: number) =>
      store.requestLog.record(
        Array.from({ length: count }, () => {
          const isFailed = random.next() < 0.1
          return loggedRequest({
            accountId,
            apiKeyId: random.next() < 0.7 ? (keys[0] ?? '') : (keys[1] ?? ''),
            endpoint: random.pick(ENDPOINTS),
            statusCode: isFailed ? 404 : 200,
            credits: isFailed ? 0 : Math.floor(random.between(0, 3)),
            createdAt: world.clock.now() - Math.floor(random.between(0, 30 * SECOND)),
          })
        }),
        [],
        randomUUID(),
      )
    for (let hour = 0; hour < 96; hour += 1) {
      await world.pass(HOUR, 10 * MINUTE)
      await record(20)
    }
    const ranges = new UsageRanges(opened.db.ledger)
    let charges = await listCharges(accountId)
    await fc.assert(
      fc.asyncProperty(
        someRange,
        fc.integer({ min: 0, max: 2 }),
        async ({ fromMs, lengthMs, isWhole, groupBy }, more) => {
          if (more > 0) {
            await record(more)
            charges = await listCharges(accountId)
          }
          const at = (time: number) => (isWhole ? startOfDay(time) : time)
          const [from, to] = [at(start + fromMs), at(start + fromMs + lengthMs)]
          const within = charges.filter(({ createdAt }) => createdAt >= from && createdAt < to)
          // Twice: the second answer comes from the cache.
          for (let time = 0; time < 2; time += 1) {
            const usage = await ranges.read(accountId, { from, to, groupBy, maxGroups: MAX_GROUPS })
            const { byEndpoint, byKey, daily, stream, groups, ...sums } = usage
            assert.deepEqual(sums, {
              succeeded: add(within, ({ succeeded }) => succeeded),
              failed: add(within, ({ failed }) => failed),
              rateLimited: 0,
              credits: add(within, ({ credits }) => credits),
            })
            const ofStreams = within.filter(({ minutes }) => minutes > 0)
            assert.deepEqual(stream, {
              minutes: add(ofStreams, ({ minutes }) => minutes),
              credits: sumsOf(ofStreams).credits,
            })
            const named = <Item extends object>(items: Item[], name: keyof Item) =>
              new Map(items.map(({ [name]: of, ...rest }) => [of, rest]))
            assert.deepEqual(
              named(byEndpoint, 'endpoint'),
              sumsBy(within, ({ endpoint }) => endpoint),
            )
            assert.deepEqual(
              byKey,
              sumsBy(within, ({ apiKeyId }) => apiKeyId),
            )
            const dayOf = ({ createdAt }: Charge) => isoDay(createdAt)
            assert.deepEqual(named(daily, 'day'), sumsBy(within, dayOf))
            assert.deepEqual(
              daily.map(({ day }) => day),
              daily.map(({ day }) => day).toSorted(),
            )
            const partOf = {
              day: dayOf,
              endpoint: ({ endpoint }: Charge) => endpoint,
              key: ({ apiKeyId }: Charge) => apiKeyId,
            }
            const expected = sumsBy(within, (charge) =>
              JSON.stringify(FIELDS.map((field) => (groupBy.includes(field) ? partOf[field](charge) : null))),
            )
            const found = groups?.map(({ day, endpoint, apiKeyId, ...rest }) => [
              JSON.stringify([day, endpoint, apiKeyId]),
              rest,
            ])
            assert.deepEqual(new Map(found as [string, object][]), groupBy.length === 0 ? new Map() : used(expected))
          }
        },
      ),
      { numRuns: runs(60, 600) },
    )
    await world.stop()
    assert.deepEqual(world.errors, [])
  })

  test('more groups than the limit are not returned', async () => {
    const store = createStore(opened.db)
    const world = new StreamWorld(store)
    const { account, key } = await world.caller('professional', 1_000)
    const request = (endpoint: string) =>
      loggedRequest({ accountId: account.id, apiKeyId: key.id, endpoint, createdAt: world.clock.now() })
    await store.requestLog.record(ENDPOINTS.map(request), [], randomUUID())
    const range = { from: 0, to: world.clock.now() + 1, groupBy: ['endpoint'] as const }
    const ranges = new UsageRanges(opened.db.ledger)
    assert.equal((await ranges.read(account.id, { ...range, maxGroups: 3 })).groups?.length, 3)
    assert.equal((await ranges.read(account.id, { ...range, maxGroups: 2 })).groups, undefined)
  })

  test('requests refused with 429 count on their days as a whole', async () => {
    const store = createStore(opened.db)
    const world = new StreamWorld(store)
    const { account, key } = await world.caller('professional', 1_000)
    const now = world.clock.now()
    const refused = loggedRequest({
      accountId: account.id,
      apiKeyId: key.id,
      statusCode: 429,
      credits: 0,
      createdAt: now,
    })
    await store.requestLog.record([], [refused], randomUUID())
    const ranges = new UsageRanges(opened.db.ledger)
    const read = (from: number, to: number) =>
      ranges.read(account.id, { from, to, groupBy: [...FIELDS], maxGroups: MAX_GROUPS })
    assert.partialDeepStrictEqual(await read(now + 1, now + 2), { rateLimited: 1, daily: [], groups: [] })
    assert.equal((await read(startOfDay(now) + DAY, now + 9 * DAY)).rateLimited, 0)
  })
})

/** Leaves out groups of free minutes, which have neither requests nor credits. */
function used(sums: Map<string, { requests: number; credits: number }>) {
  return new Map([...sums].filter(([, { requests, credits }]) => requests + credits > 0))
}
