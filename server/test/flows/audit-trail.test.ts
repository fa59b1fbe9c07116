/** The audit trail of the operator API: who did what, and that nobody can change it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createSecret } from '../../src/admission/key.ts'
import { endpoints } from '../../src/api/index.ts'
import { auditTrailCommand } from '../../src/commands/audit-trail.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { AuditRecord } from '../../src/model/operators.ts'
import { isoTime, MINUTE } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { type CallOptions, onEveryEngine, serviceForSuite } from '../harness.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

type Shown = Omit<AuditRecord, 'createdAt'> & { createdAt: string }

onEveryEngine('audit trail', (engine) => {
  const service = serviceForSuite(engine)
  const trail = async (query = '') => {
    const reply = await service.admin(`/audit-trail?limit=100&${query}`)
    assertOk(reply)
    return reply.body.data as Shown[]
  }
  const as = (token: string, path: string, options: CallOptions = {}) =>
    service.admin(path, { ...options, headers: { authorization: `Bearer ${token}` } })
  const newToken = async (scope: string, name = randomUUID()) => {
    const reply = await service.admin('/tokens', { method: 'POST', body: { name, scope } })
    assertOk(reply)
    return { name, token: reply.body.data.token as string }
  }
  /** Sends a request and returns what it added to the trail. */
  const added = async (send: () => Promise<{ status: number; headers: Record<string, string> }>) => {
    const { totalCount } = (await service.admin('/audit-trail')).body.meta
    const reply = await send()
    const now = (await service.admin('/audit-trail')).body
    const records: Shown[] = now.data.slice(0, now.meta.totalCount - totalCount)
    for (const record of records) {
      assert.equal(record.requestId, reply.headers['x-request-id'])
      assert.equal(record.statusCode, reply.status)
      assert.equal(record.createdAt, isoTime(service.clock.now()))
    }
    return records.map(({ token, method, route, target, summary, statusCode }) => ({
      token,
      method,
      route,
      target,
      summary,
      statusCode,
    }))
  }

  test('a change is recorded with its token, target and input, but without personal data and secrets', async () => {
    const { name: token, token: secret } = await newToken('owner')
    const email = `${randomUUID()}@test.example`
    let id = ''
    const body = { email, name: 'Ada Lovelace', plan: 'starter', credits: 5 }
    const opened = await added(async () => {
      const reply = await as(secret, '/accounts', { method: 'POST', body })
      id = reply.body.data.account.id
      return reply
    })
    const [method, statusCode] = ['POST', 200]
    const summary = 'email=…, name=…, plan="starter", credits=5'
    assert.deepEqual(opened, [{ token, method, route: 'POST /admin/accounts', target: id, summary, statusCode }])

    const key = createSecret()
    const credits = { credits: -2, reason: `leaked ${key}` }
    const route = 'POST /admin/accounts/:id/credits'
    assert.deepEqual(await added(() => as(secret, `/accounts/${id}/credits`, { method, body: credits })), [
      { token, method, route, target: id, summary: 'credits=-2, reason="leaked mtk_…"', statusCode },
    ])
    const overrides = { overrides: { burst: 7, secData: true }, isActive: false }
    const [patched] = await added(() => as(secret, `/accounts/${id}`, { method: 'PATCH', body: overrides }))
    assert.equal(patched?.summary, 'overrides={burst=7, secData=true}, isActive=false')
    const rows = { rows: [{ key: 'X1', name: 'Secret Ltd', type: 'stock' }, {}], update: true }
    const [imported] = await added(() => as(secret, '/import/assets', { method, body: rows }))
    assert.deepEqual([imported?.summary, imported?.target], ['rows=[2], update=true', null])
    const [created] = await added(() => as(secret, '/tokens', { method, body: { name: `x-${token}`, scope: 'read' } }))
    assert.deepEqual([created?.target, created?.summary], [`x-${token}`, 'name=…, scope="read"'])
    assert.ok(!JSON.stringify(await trail()).match(/Lovelace|Secret|test\.example|mt[ka]_\w/))
  })

  test('refusals of known tokens are recorded, successful reads and unknown tokens are not', async () => {
    const { name: token, token: secret } = await newToken('read')
    const route = 'PATCH /admin/accounts/:id'
    const refused = { token, route, method: 'PATCH', target: NOBODY, summary: null, statusCode: 403 }
    const patch = { method: 'PATCH', body: { isActive: false } }
    assert.deepEqual(await added(() => as(secret, `/accounts/${NOBODY}`, patch)), [refused])

    const support = await newToken('support')
    const about = { ...refused, token: support.name }
    assert.deepEqual(await added(() => as(support.token, `/accounts/${NOBODY}`, { method: 'PATCH', body: '{' })), [
      { ...about, statusCode: 400 },
    ])
    assert.deepEqual(await added(() => as(support.token, `/accounts/${NOBODY}`, patch)), [
      { ...about, statusCode: 404, summary: 'isActive=false' },
    ])
    const [read] = await added(() => as(secret, '/accounts?limit=x'))
    assert.deepEqual([read?.method, read?.statusCode], ['GET', 400])
    for (const path of ['/accounts', '/audit', '/audit-trail', '/tokens', '/sources']) {
      assert.deepEqual(await added(() => as(secret, path)), [])
    }
    assert.deepEqual(await added(() => as('wrong', '/accounts', { method: 'POST', body: {} })), [])
    for (const id of ['%00', 'https%3A%2F%2Fa.example%2F%3Ftoken%3Dsecret', '%F0%9F%92%A9']) {
      const [record] = await added(() => as(support.token, `/accounts/${id}/credits`, { method: 'POST', body: {} }))
      assert.equal(record?.target, null, id)
    }
  })

  test('nothing happens if the trail cannot be written; an outcome that cannot be written stays open', async (context) => {
    const { store } = service.mintick
    const { id } = await service.open('free', 5)
    // Only the first instance fails.
    const one = service.alone()
    const give = () => one.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 1, reason: 'x' } })
    const fail = async () => {
      throw new Error('disk full')
    }
    const add = context.mock.method(store.auditTrail, 'add', fail)
    assertError(await give(), 500, 'INTERNAL_ERROR')
    assert.equal(await service.balance(id), 5)
    add.mock.restore()

    const finish = context.mock.method(store.auditTrail, 'finish', fail)
    assertOk(await give())
    assert.equal(await service.balance(id), 6)
    finish.mock.restore()
    const [record] = await trail(`target=${id}`)
    assert.deepEqual([record?.statusCode, record?.summary], [null, 'credits=1, reason="x"'])
  })

  test('an outcome is set once, and no endpoint changes or removes a record', async () => {
    const { store } = service.mintick
    const record = {
      requestId: randomUUID(),
      token: 'ada',
      method: 'POST',
      route: 'POST /x',
      target: NOBODY,
      summary: null,
      statusCode: null,
      createdAt: service.clock.now(),
    }
    const seq = await store.auditTrail.add(record)
    await store.auditTrail.finish(seq, { summary: null, target: 'one', statusCode: 200 })
    await store.auditTrail.finish(seq, { summary: null, target: 'two', statusCode: 500 })
    const kept = await trail()
    assert.partialDeepStrictEqual(kept[0], { requestId: record.requestId, target: 'one', statusCode: 200 })

    for (const { access, method, path } of endpoints) {
      // Reindexing would go on in the background.
      if (access !== 'operator' || path === '/admin/reindex') continue
      for (const value of [record.requestId, String(seq), 'ada', NOBODY]) {
        await service.admin(path.replace('/admin', '').replaceAll(/:\w+/g, value), { method, body: {} })
      }
    }
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
      for (const path of ['/audit-trail', `/audit-trail/${record.requestId}`, `/audit-trail/${seq}`]) {
        assertError(await service.admin(path, { method }), 404, 'NOT_FOUND')
      }
    }
    const { totalCount } = (await service.admin('/audit-trail')).body.meta
    const all: Shown[] = []
    while (all.length < totalCount) {
      all.push(...(await service.admin(`/audit-trail?limit=100&offset=${all.length}`)).body.data)
    }
    const byId = new Map(all.map((one) => [one.requestId, one]))
    for (const one of kept) assert.deepEqual(byId.get(one.requestId), one)
  })

  test('filters and pages agree with an oracle', async () => {
    const roll = dice(7)
    const below = (limit: number) => Math.floor(roll() * limit)
    const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
    const tokens = ['admin-token', 'ada', 'bob']
    const targets = [NOBODY, 'x', null]
    const { store, clock } = service.mintick
    const from = clock.now() + MINUTE
    service.clock.advance(MINUTE)
    const all: Shown[] = []
    for (let count = 0; count < 60; count += 1) {
      const record = {
        requestId: randomUUID(),
        token: pick(tokens),
        method: 'POST',
        route: 'POST /x',
        target: pick(targets),
        summary: null,
        statusCode: 200,
        createdAt: from + below(20),
      }
      await store.auditTrail.add(record)
      all.push({ ...record, createdAt: isoTime(record.createdAt) })
    }
    const newest = all.toReversed().sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    for (let run = 0; run < runs(30, 300); run += 1) {
      const [token, target] = [pick([undefined, ...tokens]), pick([undefined, NOBODY, 'x'])]
      const after = from + below(20)
      const before = after + below(20)
      const [limit, offset] = [1 + below(10), below(15)]
      const expected = newest.filter(
        (one) =>
          (token === undefined || one.token === token) &&
          (target === undefined || one.target === target) &&
          Date.parse(one.createdAt) >= after &&
          Date.parse(one.createdAt) <= before,
      )
      const query = new URLSearchParams({
        ...(token !== undefined && { token: token.toUpperCase() }),
        ...(target !== undefined && { target }),
        createdAfter: isoTime(after),
        createdBefore: isoTime(before),
        limit: String(limit),
        offset: String(offset),
      })
      const { body } = await service.admin(`/audit-trail?${query}`)
      assert.deepEqual(body.data, expected.slice(offset, offset + limit), String(query))
      assert.equal(body.meta.totalCount, expected.length)
    }
    for (const [query, field] of [
      ['createdAfter=soon', 'createdAfter'],
      ['limit=0', 'limit'],
      ['offset=-1', 'offset'],
    ]) {
      assert.deepEqual(fieldsOf(await service.admin(`/audit-trail?${query}`)), [field])
    }
  })

  describe('mintick audit-trail', () => {
    let config: Config
    before(async () => {
      const { port } = new URL(await service.mintick.app.listen({ port: 0, host: '127.0.0.1' }))
      config = readConfig({ PORT: port, ADMIN_TOKEN: service.mintick.adminToken })
    })

    test('prints a line per request, filtered', async () => {
      const { id } = await service.open('free', 5)
      service.clock.advance(MINUTE)
      await service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits: 3, reason: 'a gift' } })
      const [header, line, end] = (await auditTrailCommand(['--target', id, '--token', 'admin-token'], config)).split(
        '\n',
      )
      assert.match(header ?? '', /^TIME +TOKEN +REQUEST +STATUS +TARGET +REQUEST ID +INPUT$/)
      assert.match(
        line ?? '',
        /^\S+ +admin-token +POST \/admin\/accounts\/:id\/credits +200 +\S+ +\S+ +credits=3, reason="a gift"$/,
      )
      assert.equal(end, '')
      const later = isoTime(service.clock.now() + 1)
      assert.equal((await auditTrailCommand(['--after', later], config)).split('\n').length, 2)
      await assert.rejects(auditTrailCommand(['--after', 'soon'], config), /createdAfter/)
      await assert.rejects(auditTrailCommand(['nonsense'], config), /nonsense/)
    })
  })
})
