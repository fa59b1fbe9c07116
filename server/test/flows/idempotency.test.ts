/** Idempotency-Key on the POST requests of callers and the operator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DatabaseUnavailable } from '../../src/model/errors.ts'
import { DAY, MINUTE, SECOND } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, serviceForSuite, type TestService } from '../harness.ts'

onEveryEngine('idempotency keys', (engine) => {
  const service = serviceForSuite(engine)

  const give = (id: string, credits: number, key: string, at: Pick<TestService, 'admin'> = service) =>
    at.admin(`/accounts/${id}/credits`, {
      method: 'POST',
      body: { credits, reason: 'test' },
      headers: { 'idempotency-key': key },
    })
  const createKey = (apiKey: string, name: string, key: string) =>
    service.api('/account/api-keys', apiKey, { method: 'POST', body: { name }, headers: { 'idempotency-key': key } })

  const storedAs = ({ owner = 'operator:admin-token', key }: { owner?: string; key: string }) =>
    service.mintick.store.idempotentRequests.start({ owner, key, digest: '' }, service.clock.now(), 0)

  test('a grant that is sent twice has one effect and one answer', async () => {
    const { id } = await service.open('custom', 0)
    const [first, second] = [await give(id, 50, 'grant-1'), await give(id, 50, 'grant-1')]
    assertOk(first)
    assert.deepEqual(second.body, first.body)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(await service.balance(id), 50)
    const { data } = (await service.admin(`/audit-trail?target=${id}`)).body
    assert.deepEqual(
      data.map(({ summary }: { summary: string }) => summary.startsWith('repeated: ')),
      [true, false],
    )
  })

  test('a grant whose answer fails after its commit is not repeated', async ({ mock }) => {
    const { id } = await service.open('custom', 0)
    const { accounts } = service.mintick.store
    const { find } = accounts
    const finding = mock.method(accounts, 'find', async (accountId: string) => {
      // The first one is before the grant.
      if (finding.mock.callCount() > 0) throw new DatabaseUnavailable()
      return find(accountId)
    })
    assertError(await give(id, 5, 'lost', service.alone()), 500, 'INTERNAL_ERROR')
    finding.mock.restore()
    service.clock.advance(2 * MINUTE)
    assertError(await give(id, 5, 'lost'), 400, 'BAD_REQUEST')
    assert.equal(await service.balance(id), 5)
  })

  test('another body or route with the same key is refused; another owner may use it', async () => {
    const { id, key } = await service.open('custom', 0)
    const other = await service.open('custom', 0)
    assertOk(await give(id, 5, 'shared'))
    assertError(await give(id, 6, 'shared'), 400, 'BAD_REQUEST')
    assertError(await give(other.id, 5, 'shared'), 400, 'BAD_REQUEST')
    for (const apiKey of [key, other.key]) assertOk(await createKey(apiKey, 'mine', 'shared'))
    assert.equal(await service.balance(id), 5)
  })

  test('a secret is in the first answer only, and in no table', async () => {
    const account = await service.open()
    const { key } = account
    const [first, second] = [await createKey(key, 'bot', 'key-1'), await createKey(key, 'bot', 'key-1')]
    const { apiKey, ...rest } = first.body.data
    assertOk(await service.api('/stats', apiKey))
    assert.deepEqual(second.body.data, rest)
    assert.match(String(second.headers['x-notice']), /apiKey was in the first answer only/)
    assert.equal((await service.api('/account/api-keys', key)).body.data.length, 2)
    const open = () =>
      service.admin('/accounts', {
        method: 'POST',
        body: { email: 'twice@test.example' },
        headers: { 'idempotency-key': 'account-1' },
      })
    const [opened, repeated] = [await open(), await open()]
    assert.deepEqual(repeated.body.data, { account: opened.body.data.account })
    const stored = [await storedAs({ owner: account.id, key: 'key-1' }), await storedAs({ key: 'account-1' })]
    for (const secret of [apiKey, opened.body.data.apiKey]) assert.equal(JSON.stringify(stored).includes(secret), false)
  })

  test('of many at once, one has an effect and all get its answer', async () => {
    const { id } = await service.open('custom', 0)
    const replies = await Promise.all(Array.from({ length: 20 }, () => give(id, 7, 'at-once')))
    for (const { body } of replies) assert.deepEqual(body, replies[0]?.body)
    assert.equal(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
    assert.equal(await service.balance(id), 7)
  })

  test('a request that failed does not use its key up', async () => {
    const { id } = await service.open('custom', 0)
    assertError(await give('00000000-0000-4000-8000-000000000000', 5, 'failed'), 404, 'NOT_FOUND')
    assertError(await give(id, -5, 'failed'), 400, 'BAD_REQUEST')
    assertOk(await give(id, 5, 'failed'))
    assert.equal(await service.balance(id), 5)
  })

  test('a key must be 1 to 255 visible characters', async () => {
    const { id } = await service.open('custom', 0)
    for (const key of ['', ' ', 'a b', 'é', 'x'.repeat(256)]) assertError(await give(id, 5, key), 400, 'BAD_REQUEST')
    assertOk(await give(id, 5, 'x'.repeat(255)))
    assert.equal(await service.balance(id), 5)
  })

  test('after a crash the outcome is unknown, which a repetition learns', async () => {
    const { id } = await service.open('custom', 0)
    assertOk(await give(id, 50, 'crashed'))
    const { idempotentRequests } = service.mintick.store
    const request = {
      owner: 'operator:admin-token',
      key: 'crashed',
      digest: (await storedAs({ key: 'crashed' }))?.digest ?? '',
    }
    await idempotentRequests.forget(request)
    await idempotentRequests.start(request, service.clock.now(), 0)
    service.clock.advance(MINUTE + SECOND)
    assertError(await give(id, 50, 'crashed'), 400, 'BAD_REQUEST')
    assert.equal(await service.balance(id), 50)
  })

  test('balances equal those of a model that forgets keys after a day', async () => {
    const command = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      credits: fc.constantFrom(1, 10),
      waitMs: fc.constantFrom(0, 0, SECOND, DAY / 2, DAY + SECOND),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        const { id } = await service.open('custom', 0)
        const known = new Map<string, { credits: number; at: number }>()
        let balance = 0
        for (const { key, credits, waitMs } of commands) {
          service.clock.advance(waitMs)
          const now = service.clock.now()
          const first = known.get(key)
          const isRemembered = first !== undefined && now - first.at <= DAY
          const { status } = await give(id, credits, `${id}-${key}`)
          assert.equal(status, isRemembered && first.credits !== credits ? 400 : 200)
          if (isRemembered) continue
          known.set(key, { credits, at: now })
          balance += credits
        }
        assert.equal(await service.balance(id), balance)
      }),
      { numRuns: runs(10, 100) },
    )
  })
})
