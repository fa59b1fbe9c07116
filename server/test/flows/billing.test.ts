/** Packs, plans and the history of the balance (spec 2.4, 4.5 and 8.1; resources.md). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { DAY, HOUR, isoDay, isoTime, MINUTE } from '../../src/model/time.ts'
import { PLAN_SLUGS } from '../../src/plans/plans.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

interface HistoryRecord {
  id: string
  type: string
  description: string
  credits: number
  balanceAfter: number
  requestId: string | null
  createdAt: string
}

onEveryEngine('billing', (engine) => {
  const service = serviceForSuite(engine)

  const history = async (key: string, query = ''): Promise<HistoryRecord[]> => {
    await service.mintick.admission.requestWriter.drain()
    const reply = await service.api(`/billing/history${query}`, key)
    assertOk(reply)
    return reply.body.data
  }
  const told = (records: HistoryRecord[]) =>
    records.map(({ type, description, credits, balanceAfter }) => [type, description, credits, balanceAfter])

  test('the packs are those of spec 2.4', async () => {
    const { key } = await service.open('free')
    const { data } = (await service.api('/billing/packages', key)).body
    const pack = (credits: number, priceUsd: number, pricePerCreditUsd: number, discountPercent: number) => ({
      id: `credits_${credits}`,
      name: `${credits.toLocaleString('en-US')} credits`,
      credits,
      priceUsd,
      pricePerCreditUsd,
      discountPercent,
    })
    assert.deepEqual(data, [
      pack(1_000, 10, 0.01, 0),
      pack(5_000, 45, 0.009, 10),
      pack(10_000, 80, 0.008, 20),
      pack(50_000, 350, 0.007, 30),
    ])
  })

  test('the plans are listed in order, the current one is marked, and for the demo key none is', async () => {
    for (const slug of PLAN_SLUGS) {
      const { key } = await service.open(slug)
      const { data } = (await service.api('/billing/plans', key)).body
      assert.deepEqual(
        data.map((plan: { slug: string; isCurrent: boolean }) => [plan.slug, plan.isCurrent]),
        PLAN_SLUGS.map((other) => [other, other === slug]),
      )
    }
    const { data } = (await service.api('/billing/plans', DEMO_KEY)).body
    assert.ok(data.every(({ isCurrent }: { isCurrent: boolean }) => !isCurrent))
  })

  test('the history tells grants, adjustments, usage by day and endpoint, and what expired', async () => {
    const { id, key } = await service.open('starter')
    for (const path of ['/entries', '/entries', '/assets', '/stats', '/entries?limit=0']) await service.api(path, key)
    service.clock.advance(DAY)
    await service.api('/entries', key)
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 50, reason: 'sorry' } })
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: -20, reason: 'too much' } })
    const [yesterday, today] = [isoDay(service.clock.now() - DAY), isoDay(service.clock.now())]
    service.clock.advance(31 * DAY)
    await service.mintick.grants.run()
    const [grant] = await history(key, '?type=grant&limit=1')
    assert.deepEqual(told(await history(key)), [
      ['grant', grant?.description, 1_000, 1_150],
      ['expiry', 'Unused credits expired', -976, 150],
      ['adjustment', 'too much', -20, 1_126],
      ['adjustment', 'sorry', 50, 1_146],
      ['usage', `GET /entries, ${today}`, -1, 1_096],
      ['usage', `GET /assets, ${yesterday}`, -1, 1_097],
      ['usage', `GET /entries, ${yesterday}`, -2, 1_098],
      ['grant', 'Monthly credits of the Starter plan', 1_000, 1_100],
      ['grant', 'Signup credits', 100, 100],
    ])
  })

  test('in detail each charge is listed with its request id, and the filters narrow it down', async () => {
    const { key } = await service.open('starter', 100)
    const openedAt = isoTime(service.clock.now())
    const ids: string[] = []
    for (const path of ['/entries', '/assets', '/stats']) {
      service.clock.advance(MINUTE)
      ids.push((await service.api(path, key)).headers['x-request-id'] ?? '')
    }
    const records = await history(key, '?detail=true')
    assert.deepEqual(
      records.map(({ requestId, description, balanceAfter }) => [requestId, description, balanceAfter]),
      [
        [ids[1], 'GET /api/v1/assets', 98],
        [ids[0], 'GET /api/v1/entries', 99],
        [null, 'Opening balance', 100],
      ],
    )
    assert.equal((await history(key, '?detail=true&type=usage')).length, 2)
    assert.equal((await history(key, '?type=usage,grant&offset=1')).length, 2)
    assert.equal((await history(key, '?type=usage')).length, 2)
    assert.equal((await history(key, `?createdBefore=${openedAt}`)).length, 1)
    assert.equal((await history(key, `?createdAfter=${records[1]?.createdAt}&detail=true`)).length, 2)
    assert.deepEqual(await history(key, '?type=purchase,refund,subscription'), [])
    for (const field of ['type=nothing', 'createdAfter=x', 'detail=maybe', 'offset=-1', 'sortBy=credits']) {
      const refused = await service.api(`/billing/history?${field}`, key)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(refused), [field.split('=')[0]])
    }
  })

  test('the pool of the demo account is refilled on the hour when nobody calls', async () => {
    const { id } = (await service.api('/account', DEMO_KEY)).body.data
    const before = await service.mintick.store.history.page(id, {}, false, 1, 0)
    service.clock.advance(HOUR)
    await service.mintick.admission.refillDemoPool(id)
    const { data } = await service.mintick.store.history.page(id, {}, false, 1, 0)
    assert.partialDeepStrictEqual(data[0], { type: 'grant', credits: 100, balanceAfter: 100 })
    assert.notEqual(data[0]?.id, before.data[0]?.id)
    assert.equal(data[0]?.createdAt, Math.floor(service.clock.now() / HOUR) * HOUR)
  })

  test('a grant is spent at once, and the account says when the next one comes', async () => {
    const { id, key } = await service.open('starter', 1)
    assertOk(await service.api('/entries', key))
    assertError(await service.api('/entries', key), 402, 'INSUFFICIENT_CREDITS')
    const { nextGrantAt } = (await service.api('/account', key)).body.data.credits
    service.clock.advance(Date.parse(nextGrantAt) - service.clock.now())
    await service.mintick.grants.run()
    assert.equal((await service.api('/entries', key)).headers['x-credits-remaining'], '999')
    assert.equal(await service.balance(id), 999)
    const free = await service.open('free')
    assert.equal((await service.api('/account', free.key)).body.data.credits.nextGrantAt, null)
  })

  test('a month that has begun is that of the plan until then, even when the change comes first', async () => {
    const { id, key } = await service.open('starter', 0)
    service.clock.advance(32 * DAY)
    await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { plan: 'enterprise' } })
    assert.equal((await service.api('/stats', key)).headers['x-credits-remaining'], '1000')
    service.clock.advance(32 * DAY)
    await service.mintick.grants.run()
    assert.equal(await service.balance(id), 25_000)
  })

  test('nothing of one account is in the history of another', async () => {
    const [mine, theirs] = [await service.open('starter', 7), await service.open('starter', 9)]
    await service.api('/entries', theirs.key)
    for (const query of ['', '?detail=true']) assert.deepEqual((await history(mine.key, query)).length, 1)
  })
})
