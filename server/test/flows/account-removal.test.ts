/** Export and deletion of accounts: everything is shown before, and nothing identifies the owner afterwards. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { mintKey } from '../../src/admission/key.ts'
import { accountsCommand } from '../../src/commands/accounts.ts'
import { readConfig } from '../../src/config.ts'
import { DAY, isoTime, MINUTE } from '../../src/model/time.ts'
import { Buyer } from '../buyer.ts'
import { runs } from '../depth.ts'
import { differences, dumpTables } from '../dump.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, onPostgres, serviceForSuite, type TestService } from '../harness.ts'
import { loggedRequest } from '../logged-request.ts'
import { waitUntil } from '../streams.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Tables of an account by the name of their list in an export. */
const EXPORTED: Record<string, string> = {
  users: 'users',
  api_keys: 'apiKeys',
  subscriptions: 'subscriptions',
  checkouts: 'checkouts',
  purchases: 'purchases',
  reversals: 'reversals',
  lots: 'lots',
  usage_daily: 'usage',
  streams: 'streams',
  bulk_exports: 'bulkExports',
  balance_alerts: 'balanceAlerts',
  alert_deliveries: 'alertDeliveries',
  transfers: 'transfers',
  metered_charges: 'meteredCharges',
  request_log: 'requests',
}
/** Tables of an account that only hold sums of the others, or nothing for longer than a request. */
const DERIVED = ['usage_days', 'request_log_blocks', 'request_log_heads', 'stream_carry', 'billing_turns']

/** Columns that an export does not show. */
const SECRETS = ['hash', 'old_hash', 'webhook_salt', 'password_hash', 'totp_secret']

type Row = Record<string, unknown>

async function rowsOf({ place }: TestService): Promise<Record<string, Row[]>> {
  const dump = await dumpTables(place, [])
  return Object.fromEntries(Object.entries(dump).map(([name, rows]) => [name, rows.map((row) => JSON.parse(row))]))
}

const camel = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

onEveryEngine('removal of accounts', (engine) => {
  const service = serviceForSuite(engine)
  const remove = (id: string) => service.admin(`/accounts/${id}`, { method: 'DELETE' })
  const settle = () => service.mintick.admission.requestWriter.drain()
  const exported = async (id: string) => {
    const reply = await service.admin(`/accounts/${id}/export`)
    assertOk(reply)
    return reply.body.data
  }

  /** Opens an account that leaves traces everywhere. */
  async function customer(marker: string) {
    const body = { email: `${marker}@test.example`, name: `Name ${marker}`, plan: 'starter', credits: 500 }
    const headers = { 'idempotency-key': `open-${marker}` }
    const { account, apiKey: key } = (await service.admin('/accounts', { method: 'POST', body, headers })).body.data
    const { id } = account as { id: string }
    const created = await service.api('/account/api-keys', key, {
      method: 'POST',
      body: { name: `Laptop of ${marker}`, allowedAddresses: ['127.0.0.1'] },
      headers: { 'idempotency-key': `key-${marker}` },
    })
    assertOk(created)
    const rotation = await service.api(`/account/api-keys/${created.body.data.id}/rotate`, key, { method: 'POST' })
    assertOk(rotation)
    const alerts = { lowBalance: 500, webhookUrl: `https://${marker}.example/` }
    assertOk(await service.api('/account/alerts', key, { method: 'PATCH', body: alerts }))
    assertOk(await service.api(`/entries?search=${marker}`, key))
    await service.mintick.store.alerts.detect(service.clock.now())
    assertError(await service.api(`/entries/${marker}`, key), 404, 'NOT_FOUND')
    assertOk(await service.api('/stats', key))
    assertOk(await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 5, reason: 'sorry' } }))
    const suspension = { isActive: false, reason: `${marker} did not pay` }
    assertOk(await service.admin(`/accounts/${id}`, { method: 'PATCH', body: suspension }))
    assertOk(await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { isActive: true } }))
    assertOk(await service.admin(`/accounts/${id}`, { method: 'PATCH', body: suspension }))
    await settle()
    return { id, key, second: created.body.data.apiKey as string, third: rotation.body.data.apiKey as string }
  }

  test('an export has every row that any table holds about the account, with every column but hashes', async () => {
    const buyer = await Buyer.open(service, 'free', 100)
    await buyer.subscribe('starter')
    const { id } = await customer('exported')
    await settle()
    for (const accountId of [id, buyer.id]) {
      const tables = await rowsOf(service)
      const data = await exported(accountId)
      assert.equal(data.next, null)
      for (const [table, rows] of Object.entries(tables)) {
        const own = rows.filter((row) => row.account_id === accountId)
        if (DERIVED.includes(table) || (own.length === 0 && EXPORTED[table] === undefined)) continue
        const list: Row[] = data[EXPORTED[table] ?? '']
        assert.equal(list?.length, own.length, table)
        const columns = Object.keys(own[0] ?? {}).filter((column) => !SECRETS.includes(column))
        if (own.length > 0) assert.deepEqual(Object.keys(list[0] ?? {}).sort(), columns.map(camel).sort(), table)
      }
      const stored = tables.accounts?.find((row) => row.id === accountId)
      assert.partialDeepStrictEqual(data.account, { id: accountId, email: stored?.email, name: stored?.name })
    }
    const data = await exported(id)
    assert.deepEqual(data.requests.map(({ query }: Row) => query).filter(Boolean), ['search=exported'])
    assert.equal(data.account.createdAt, isoTime(service.clock.now()))
    assert.ok(data.idempotentRequests.length === 1 && data.auditTrail.length > 3)
    const [record] = (await service.admin(`/audit-trail?target=${id}`)).body.data
    assert.deepEqual([record.route, record.statusCode], ['GET /admin/accounts/:id/export', 200])
  })

  test('a long export comes in parts that make up the whole, also in the file of the command', async () => {
    const { id } = await service.open('custom', 1_000_000)
    const { store, clock } = service.mintick
    const [key] = await store.keys.list(id)
    const count = runs(5_600, 16_000)
    const requests = Array.from({ length: count }, (_, index) =>
      loggedRequest({
        accountId: id,
        apiKeyId: key?.id ?? '',
        createdAt: clock.now() - (index % 700),
        credits: index % 2,
      }),
    )
    for (let from = 0; from < count; from += 400) {
      await store.requestLog.record(requests.slice(from, from + 400), [], `batch-${from}`)
    }
    const ids = new Set<unknown>()
    const transfers: unknown[] = []
    let from: string | null = ''
    let parts = 0
    while (from !== null) {
      const reply = await service.admin(`/accounts/${id}/export${from && `?from=${from}`}`)
      assertOk(reply)
      const { data } = reply.body
      assert.equal(data.apiKeys.length, parts === 0 ? 1 : 0)
      for (const request of data.requests) {
        assert.ok(!ids.has(request.id))
        ids.add(request.id)
      }
      transfers.push(...data.transfers)
      from = data.next
      parts += 1
    }
    assert.deepEqual([ids.size, parts > 1], [count, true])
    for (const bad of ['x', '9.1', '0', '0.1.2', '2.1', '-1.1', '0.99999999999999999999', '1.1.1;drop']) {
      const reply = await service.admin(`/accounts/${id}/export?from=${bad}`)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['from'])
    }

    const folder = mkdtempSync(join(tmpdir(), 'mintick-export-'))
    const { port } = new URL(await service.mintick.app.listen({ port: 0, host: '127.0.0.1' }))
    const config = readConfig({ PORT: port, ADMIN_TOKEN: service.mintick.adminToken })
    const file = join(folder, 'export.json')
    assert.match(await accountsCommand(['export', id, file], config), /export\.json\n$/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const written = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(new Set(written.requests.map((request: Row) => request.id)), ids)
    assert.deepEqual([written.transfers, written.next], [transfers, undefined])
    await assert.rejects(accountsCommand(['export', id, file], config), /exists; name another file/)
    await assert.rejects(accountsCommand(['delete', id], config), /cannot be undone.*--yes/)
    assert.match(await accountsCommand(['delete', id, '--yes'], config), /^Deleted at /)
    assert.match(await accountsCommand(['list'], config), new RegExp(`${id} +– .*deleted`))
    const cleared = await store.requestLog.page(id, {}, 100, count - 50)
    assert.ok(cleared.data.every(({ path, query }) => path === '' && query === null))
    rmSync(folder, { recursive: true })
  })

  test('nothing that identifies the owner is left after a deletion, and the ledger is as before', async () => {
    const marker = 'zebedee'
    const { id, key, second, third } = await customer(marker)
    await settle()
    // Events of the payment may still be on their way.
    let before = await dumpTables(service.place, [])
    await waitUntil(async () => {
      const earlier = before
      before = await dumpTables(service.place, [])
      return Object.keys(differences(earlier, before)).length === 0
    })
    assert.ok(JSON.stringify(before).includes(marker))
    const balance = await service.balance(id)
    const reply = await remove(id)
    assertOk(reply)
    assert.deepEqual(reply.body.data, { id, deletedAt: isoTime(service.clock.now()) })

    const after = await dumpTables(service.place, [])
    for (const [table, rows] of Object.entries(after)) {
      assert.ok(!JSON.stringify(rows).toLowerCase().includes(marker), table)
    }
    // The sandbox still tries to deliver events, and the service to read them.
    const changed = Object.keys(differences(before, after)).filter(
      (table) => !/^sqlite_|^sandbox_deliveries$|^processor_(events|reads|sweeps)$/.test(table),
    )
    assert.deepEqual(changed.sort(), [
      'accounts',
      'alert_deliveries',
      'api_keys',
      'audit_trail',
      'balance_alerts',
      'idempotent_requests',
      'request_log',
    ])
    const own = (await rowsOf(service)).api_keys?.filter((row) => row.account_id === id)
    assert.ok(own?.every((row) => row.allowed_addresses === null && row.old_hash === null))
    assert.deepEqual((await service.admin('/audit')).body.data.problems, [])
    assert.equal(await service.balance(id), balance)
    for (const secret of [key, second, third]) assertError(await service.api('/stats', secret), 401, 'UNAUTHORIZED')

    const shown = (await service.admin(`/accounts/${id}`)).body.data
    assert.partialDeepStrictEqual(shown, { email: null, name: null, isActive: false, suspendedReason: null, balance })
    assert.ok(!JSON.stringify(await exported(id)).includes(marker))
    service.clock.advance(1)
    assert.deepEqual((await remove(id)).body, reply.body, 'a second deletion changes nothing')
    const refused = [
      await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { isActive: true } }),
      await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 1, reason: 'x' } }),
      await service.admin(`/accounts/${id}/api-keys`, { method: 'POST', body: { name: 'x' } }),
    ]
    for (const one of refused) {
      assertError(one, 400, 'BAD_REQUEST')
      assert.equal(one.body.error.message, 'This account was deleted')
    }
    assertOk(await service.admin('/accounts', { method: 'POST', body: { email: `${marker}@test.example` } }))
  })

  test('unknown accounts are 404 and the demo account stays', async () => {
    for (const id of [NOBODY, 'nope', '%00', "'"]) {
      assertError(await remove(id), 404, 'NOT_FOUND')
      assertError(await service.admin(`/accounts/${id}/export`), 404, 'NOT_FOUND')
    }
    const { data } = (await service.admin('/accounts?limit=100')).body
    assertError(await remove(data.find(({ isDemo }: Row) => isDemo).id), 403, 'FORBIDDEN')
    assertOk(await service.api('/entries', 'mtk_demo'))
  })

  test('many deletions at once delete once, and charges meanwhile leave the books in order', async () => {
    for (let round = 0; round < runs(4, 30); round += 1) {
      const { id, key } = await service.open('custom', 1_000)
      const ask = () => service.api('/entries?search=needle', key)
      const requests = [ask(), ask(), ask()]
      const removals = [remove(id), remove(id)]
      requests.push(ask(), ask(), ask())
      removals.push(remove(id))
      const answers = await Promise.all(removals)
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      assert.ok(
        statuses.every((status) => status === 200 || status === 401),
        `${statuses}`,
      )
      await settle()
      assert.equal(await service.balance(id), 1_000 - statuses.filter((status) => status === 200).length)
      await service.mintick.store.removal.clearLogs(service.clock.now())
      const { data } = await service.mintick.store.requestLog.page(id, {}, 100, 0)
      assert.ok((await exported(id)).requests.every(({ path, query }: Row) => path === '' && query === null))
      assert.ok(data.length >= statuses.filter((status) => status === 200).length)
    }
    assert.deepEqual((await service.admin('/audit')).body.data.problems, [])
  })

  test('requests that are logged after the deletion are cleared, until none can follow', async () => {
    const { id } = await service.open('custom', 1_000)
    const { store, clock } = service.mintick
    const [key] = await store.keys.list(id)
    const log = (at: number) => {
      const request = { accountId: id, apiKeyId: key?.id ?? '', createdAt: at, query: 'search=late', path: '/late' }
      return store.requestLog.record([loggedRequest(request)], [], `late-${id}-${at}`)
    }
    assertOk(await remove(id))
    const deletedAt = clock.now()
    for (const at of [deletedAt - 1, deletedAt, deletedAt + MINUTE]) {
      await log(at)
      service.clock.advance(MINUTE)
      await store.removal.clearLogs(clock.now())
      assert.ok(!JSON.stringify((await exported(id)).requests).includes('late'))
    }
    assert.notEqual((await exported(id)).account.clearLogFrom, null)
    service.clock.advance(10 * MINUTE)
    await store.removal.clearLogs(clock.now())
    assert.equal((await exported(id)).account.clearLogFrom, null)
  })

  test('requests that the deletion overtakes neither enable the account again nor add keys or checkouts', async () => {
    const { store, clock } = service.mintick
    const { id, key } = await service.open('custom', 10)
    assertOk(await remove(id))
    const rules = { now: clock.now(), grantRule: () => undefined, maxApiKeys: () => 5 }
    const account = await store.accounts.update(id, { isActive: true, suspendedReason: 'x' }, rules as never)
    assert.deepEqual([account?.isActive, account?.suspendedReason], [false, null])
    const { kept } = mintKey('pepper', { name: 'late', expiresAt: null, createdAt: clock.now() })
    const order = { id: randomUUID(), accountId: id, packageId: 'credits_1000', planSlug: null, createdAt: clock.now() }
    const [known] = await store.keys.list(id)
    for (const late of [
      () => store.keys.insert({ ...kept, accountId: id }, 99),
      () => store.keys.change(id, known?.id ?? '', () => ({ name: 'late' })),
      () => store.checkouts.begin(order),
    ]) {
      await assert.rejects(late, { code: 'UNAUTHORIZED' })
    }
    const { apiKeys, checkouts } = await exported(id)
    assert.deepEqual([apiKeys.length, checkouts], [1, []])
    assertError(await service.api('/stats', key), 401, 'UNAUTHORIZED')
  })

  describe('with payments', () => {
    const shop = serviceForSuite(engine)
    const removeIn = (id: string) => shop.admin(`/accounts/${id}`, { method: 'DELETE' })

    test('an account with a subscription is deleted only once the subscription has ended', async () => {
      const buyer = await Buyer.open(shop, 'free', 100)
      await buyer.subscribe('starter')
      const refused = await removeIn(buyer.id)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.match(refused.body.error.message, /has a subscription; cancel it/)
      assertOk(await buyer.call('/billing/subscription', { method: 'DELETE' }))
      assertError(await removeIn(buyer.id), 400, 'BAD_REQUEST')
      assert.equal((await buyer.call('/account')).body.data.plan.slug, 'starter')
      shop.clock.advance(32 * DAY)
      await shop.mintick.sandbox?.run()
      await shop.mintick.billing?.sweeper.run()
      assertOk(await removeIn(buyer.id))
      assert.deepEqual((await shop.admin('/audit')).body.data.problems, [])
    })

    test('no table names a buyer after the deletion, which is repeated if the processor fails', async (context) => {
      const { billing } = shop.mintick
      assert.ok(billing)
      const buyer = await Buyer.open(shop, 'free', 100)
      const { email } = (await shop.admin(`/accounts/${buyer.id}`)).body.data
      await buyer.subscribe('starter')
      assertOk(await buyer.call('/billing/subscription', { method: 'DELETE' }))
      shop.clock.advance(32 * DAY)
      await shop.mintick.sandbox?.run()
      await billing.sweeper.run()
      await buyer.buy('credits_1000')
      const tablesNaming = async () => {
        const tables = Object.entries(await dumpTables(shop.place, []))
        return tables.filter(([, rows]) => rows.some((row) => row.includes(email))).map(([name]) => name)
      }
      assert.deepEqual(await tablesNaming(), ['accounts', 'sandbox_answers', 'sandbox_objects'])

      const failing = context.mock.method(billing.processor, 'deleteCustomer', () => Promise.reject(new Error('down')))
      assertError(await removeIn(buyer.id), 500, 'INTERNAL_ERROR')
      failing.mock.restore()
      assertOk(await removeIn(buyer.id))
      assert.deepEqual(await tablesNaming(), [])
      assertOk(await removeIn(buyer.id))
    })

    test('an account with an open checkout is deleted once it has expired', async () => {
      const buyer = await Buyer.open(shop, 'free', 100)
      assertOk(await buyer.post('/billing/checkout', { packageId: 'credits_1000' }))
      const refused = await removeIn(buyer.id)
      assertError(refused, 400, 'BAD_REQUEST')
      assert.match(refused.body.error.message, /checkout of this account is open/)
      shop.clock.advance(2 * DAY)
      await shop.mintick.sandbox?.run()
      await shop.mintick.billing?.sweeper.run()
      assertOk(await removeIn(buyer.id))
    })
  })
})

onPostgres('removal of accounts on two instances', () => {
  const service = serviceForSuite('postgres')

  test('a deletion at one instance refuses the keys at the other, and both may delete at once', async () => {
    const twin = await service.twin()
    try {
      const { id, key } = await service.open('custom', 100)
      assertOk(await twin.api('/entries?search=needle', key))
      const removeAt = (instance: TestService) => instance.admin(`/accounts/${id}`, { method: 'DELETE' })
      const [one, other] = await Promise.all([removeAt(service), removeAt(twin)])
      assertOk(one)
      assert.deepEqual(one.body, other.body)
      for (const instance of [service, twin]) assertError(await instance.api('/stats', key), 401, 'UNAUTHORIZED')
      await twin.mintick.admission.requestWriter.drain()
      await twin.mintick.store.removal.clearLogs(service.clock.now())
      const { data } = (await service.admin(`/accounts/${id}/export`)).body
      assert.ok(data.requests.length > 0 && data.requests.every(({ query }: Row) => query === null))
    } finally {
      await twin.mintick.close()
    }
  })
})
