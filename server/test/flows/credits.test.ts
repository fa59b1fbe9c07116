import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, serviceForSuite } from '../harness.ts'
import { creditsByKind } from '../lots.ts'

onEveryEngine('credits', (engine) => {
  const service = serviceForSuite(engine)

  const callMany = async (count: number, path: string, key: string) => {
    const replies = await Promise.all(Array.from({ length: count }, () => service.api(path, key)))
    return Object.groupBy(replies, ({ status }) => status)
  }

  for (const balance of [1, 7, 40]) {
    test(`a balance of ${balance} and ${10 * balance} parallel calls give exactly ${balance} answers`, async () => {
      const { id, key } = await service.open('enterprise', balance)
      const replies = await callMany(10 * balance, '/entries', key)
      assert.equal(replies[200]?.length, balance)
      assert.equal(replies[402]?.length, 9 * balance)
      assert.equal(await service.balance(id), 0)
      const { totalCount } = await service.mintick.store.requestLog.page(id, { statusCode: [200] }, 1, 0)
      assert.equal(totalCount, balance)
    })
  }

  test('calls that fail release their hold, so that the balance is there for the next ones', async () => {
    const { id, key } = await service.open('enterprise', 5)
    for (let round = 0; round < 20; round += 1) {
      const replies = await callMany(5, '/entries/00000000-0000-4000-8000-000000000000', key)
      assert.equal(replies[404]?.length, 5)
    }
    assert.equal((await callMany(5, '/entries', key))[200]?.length, 5)
    assert.equal(await service.balance(id), 0)
  })

  test('two services on one store never spend a credit twice, whatever each believes the balance to be', async () => {
    if (engine === 'sqlite') return // only one process can open the folder
    const other = await service.twin()
    const { id, key } = await service.open('enterprise', 30)
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? service : other).api('/entries', key)),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 30)
    assert.ok(replies.every(({ status }) => status === 200 || status === 402))
    assert.equal(await service.balance(id), 0)
    await other.mintick.close()
  })

  test('credits that the operator gives are there for the next call', async () => {
    const { id, key } = await service.open('free', 0)
    assert.equal((await service.api('/entries', key)).status, 402)
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 1, reason: 'test' } })
    assert.equal((await service.api('/entries', key)).status, 200)
    assert.equal((await service.api('/entries', key)).status, 402)
  })

  test('monthly credits are burned before signup credits, those before adjustments', async () => {
    const { id, key } = await service.open('starter')
    const { store } = service.mintick
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 50, reason: 'gift' } })
    assert.deepEqual(await creditsByKind(store, id), { signup: 100, monthly: 1000, adjustment: 50 })
    await callMany(60, '/entries', key)
    await service.mintick.admission.requestWriter.drain()
    assert.deepEqual(await creditsByKind(store, id), { signup: 100, monthly: 940, adjustment: 50 })
    await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: -1000, reason: 'taken' } })
    assert.deepEqual(await creditsByKind(store, id), { signup: 40, adjustment: 50 })
  })

  test('afterwards the ledger adds up and nothing is held', async () => {
    const { mintick } = service
    await mintick.admission.requestWriter.drain()
    assert.deepEqual((await mintick.store.audit.run()).problems, [])
    for (const { id } of (await mintick.store.accounts.page(1_000, 0)).data) {
      assert.equal(mintick.admission.meter.held(id), 0)
    }
  })
})
