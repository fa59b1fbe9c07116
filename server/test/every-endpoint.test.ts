/** Checks rules that hold for every endpoint, including endpoints added later. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_LIST_CAP } from '../src/admission/demo.ts'
import { endpoints } from '../src/api/index.ts'
import { hasEnvelope } from '../src/http/endpoint.ts'
import { PAGING_PARAMS } from '../src/http/params.ts'
import { effectiveCost } from '../src/plans/cost.ts'
import { DEMO_PLAN, FEATURES, PLAN_SLUGS, PLANS } from '../src/plans/plans.ts'
import { assertValid } from './answer-schema.ts'
import { some } from './depth.ts'
import { ABOUT_SUBSCRIPTIONS, fixtureOf, nameOf } from './endpoint-fixtures.ts'
import { assertError, fieldsOf } from './envelope.ts'
import { onEveryEngine, serviceForSuite } from './harness.ts'
import { assertPage } from './page.ts'

const keyEndpoints = endpoints.filter((endpoint) => endpoint.access === 'key')

onEveryEngine('every endpoint', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  /** Returns all cases on SQLite, and two of them in a quick run on PostgreSQL. */
  const casesOf = <Case>(cases: readonly Case[]) => (engine === 'sqlite' ? cases : some(cases, 2))

  for (const endpoint of keyEndpoints) {
    const name = nameOf(endpoint)
    const cost = endpoint.cost.credits

    test(`${name} without a key, with a malformed one or an unknown one answers 401`, async () => {
      const path = endpoint.path.replaceAll(':id', 'x')
      const unknown = `mtk_${'x'.repeat(44)}`
      for (const authorization of casesOf([
        undefined,
        '',
        'Bearer',
        'mtk_demo',
        `Bearer ${unknown}`,
        'Basic abc',
        'Bearer nope',
      ])) {
        const reply = await service.api(path, undefined, {
          method: endpoint.method,
          headers: authorization === undefined ? {} : { authorization },
        })
        assertError(reply, 401, 'UNAUTHORIZED')
        assert.ok(!('retry-after' in reply.headers))
      }
    })

    // Streams never end; flows/stream.test.ts covers them.
    if (hasEnvelope(endpoint.returns)) {
      test(`${name} costs exactly its price on each plan and answers what its schema says`, async () => {
        for (const slug of casesOf(PLAN_SLUGS)) {
          if (endpoint.needs !== undefined && !FEATURES[endpoint.needs].allows(PLANS[slug])) continue
          if (slug === 'custom' && ABOUT_SUBSCRIPTIONS.includes(name)) continue
          const account = await service.open(slug, 1_000)
          const { path, options } = await fixtureOf(endpoint, service, account)
          const balance = await service.balance(account.id)
          const reply = await service.api(path, account.key, options)
          const effective = effectiveCost(cost, PLANS[slug])
          assert.equal(reply.status, 200, JSON.stringify(reply.body))
          assertValid(endpoint, reply.body)
          assert.equal(reply.headers['x-credits-cost'], String(effective))
          assert.equal(reply.headers['x-credits-remaining'], String(balance - effective))
          assert.match(reply.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
          assert.equal(reply.headers['x-content-type-options'], 'nosniff')
          assert.match(reply.headers.ratelimit ?? '', /^"burst";r=\d+;t=\d+, "hour";r=\d+;t=\d+, "day";r=\d+;t=\d+$/)
          assert.equal(await service.balance(account.id), balance - effective)
        }
      })

      test(`${name} with an empty balance answers ${cost > 0 ? '402 and runs nothing' : 'all the same'}`, async () => {
        const account = await service.open('enterprise', 0)
        const { path, options } = await fixtureOf(endpoint, service, account)
        const balance = await service.balance(account.id)
        const reply = await service.api(path, account.key, options)
        if (cost > 0) assertError(reply, 402, 'INSUFFICIENT_CREDITS')
        else assert.equal(reply.status, 200)
        assert.equal(await service.balance(account.id), balance)
      })
    }

    if (endpoint.needs !== undefined) {
      const { needs } = endpoint
      test(`${name} on a plan without ${FEATURES[needs].name} answers 403 and charges nothing`, async () => {
        for (const slug of PLAN_SLUGS.filter((plan) => !FEATURES[needs].allows(PLANS[plan]))) {
          const account = await service.open(slug, 10)
          const { path, options } = await fixtureOf(endpoint, service, account)
          assertError(await service.api(path, account.key, options), 403, 'FORBIDDEN')
          assert.equal(await service.balance(account.id), 10)
        }
      })
    }

    if (endpoint.path.includes(':id')) {
      test(`${name} with an id that does not exist, or is none, answers 404 and charges nothing`, async () => {
        const account = await service.open('enterprise', 10)
        const ids = ['00000000-0000-4000-8000-000000000000', 'nope', '%00', '1e9', "'", 'x'.repeat(400), '%F0%9F%92%A9']
        for (const id of casesOf(ids)) {
          const reply = await service.api(endpoint.path.replace(':id', id), account.key, { method: endpoint.method })
          assertError(reply, 404, 'NOT_FOUND')
        }
        assert.equal(await service.balance(account.id), 10)
      })
    }

    const pagingParams = Object.entries(endpoint.query?.properties ?? {}).filter(([, param]) => 'x-paging' in param)
    if (pagingParams.length > 0) {
      const pathOf = async () => (await fixtureOf(endpoint, service, { id: '', key: '' })).path

      test(`${name} with a bad limit answers 400 naming it and charges nothing`, async () => {
        const account = await service.open('enterprise', 10)
        for (const limit of casesOf(['0', '-1', '1.5', 'ten', '', '1e1', '%00'])) {
          const reply = await service.api(`${await pathOf()}?limit=${limit}`, account.key)
          assertError(reply, 400, 'BAD_REQUEST')
          assert.deepEqual(fieldsOf(reply), ['limit'])
        }
        assert.equal(await service.balance(account.id), 10)
      })

      test(`${name} with limit 1000 is clamped to 100 for an own key`, async () => {
        const account = await service.open()
        const reply = await service.api(`${await pathOf()}?limit=1000`, account.key)
        assert.equal(reply.status, 200)
        assert.equal(reply.body.meta.limit, 100)
      })

      if (!endpoint.refusesDemo) {
        test(`${name} gives the demo key three items, 400 above that and 400 for paging`, async () => {
          const reply = await service.api(await pathOf(), 'mtk_demo')
          assert.equal(reply.status, 200)
          assert.equal(reply.body.meta.limit, 3)
          assert.ok(reply.body.data.length <= 3)
          assert.deepEqual(fieldsOf(await service.api(`${await pathOf()}?limit=4`, 'mtk_demo')), ['limit'])
          for (const param of PAGING_PARAMS) {
            const refused = await service.api(`${await pathOf()}?${param}=1`, 'mtk_demo')
            assertError(refused, 400, 'BAD_REQUEST')
            assert.deepEqual(fieldsOf(refused), [param])
          }
        })
      }

      test(`${name} refuses a parameter that is given twice and ignores one it does not know`, async () => {
        const account = await service.open()
        assert.deepEqual(fieldsOf(await service.api(`${await pathOf()}?limit=1&limit=2`, account.key)), ['limit'])
        assert.equal((await service.api(`${await pathOf()}?nonsense=1&nonsense=2`, account.key)).status, 200)
      })
    }

    if (endpoint.refusesDemo) {
      test(`${name} answers 403 to the demo key`, async () => {
        assertError(
          await service.api(endpoint.path.replace(':id', 'x'), 'mtk_demo', { method: endpoint.method }),
          403,
          'FORBIDDEN',
        )
      })
    } else if (endpoint.needs === undefined || FEATURES[endpoint.needs].allows(DEMO_PLAN)) {
      test(`${name} answers the demo key`, async () => {
        const account = await service.open()
        const { path, options } = await fixtureOf(endpoint, service, account)
        const reply = await service.api(path, 'mtk_demo', options)
        if (ABOUT_SUBSCRIPTIONS.includes(name)) return assertError(reply, 404, 'NOT_FOUND')
        assert.equal(reply.status, 200)
        assertValid(endpoint, reply.body)
        if (endpoint.returns !== 'object') assert.ok(reply.body.data.length <= DEMO_LIST_CAP)
      })
    }
  }

  for (const endpoint of endpoints.filter(({ access }) => access === 'operator')) {
    const { method, path } = endpoint
    const name = nameOf(endpoint)

    test(`${name} without a token, or with an API key, answers 401`, async () => {
      const url = path.replaceAll(/:\w+/g, 'x')
      for (const authorization of casesOf(['', 'Bearer nope', `Bearer mta_${'x'.repeat(44)}`, 'Bearer mtk_demo'])) {
        assertError(await service.call(url, { method, headers: { authorization } }), 401, 'UNAUTHORIZED')
      }
    })

    const headers = () => ({ authorization: `Bearer ${service.mintick.adminToken}` })

    if (path.includes(':')) {
      test(`${name} with an id that does not exist, or is none, answers 404`, async () => {
        const ids = ['00000000-0000-4000-8000-000000000000', 'nope', '%00', '1e9', "'", 'x'.repeat(400), '%F0%9F%92%A9']
        const body = endpoint.body && { credits: 1, reason: 'x', name: 'x' }
        for (const id of casesOf(ids)) {
          const reply = await service.call(path.replaceAll(/:\w+/g, id), { method, body, headers: headers() })
          assertError(reply, 404, 'NOT_FOUND')
        }
      })
    }

    if (method === 'GET' && endpoint.returns !== 'text' && !path.startsWith('/admin/sources/')) {
      test(`${name} answers what its schema says`, async () => {
        const [list = '', rest] = path.split('/:id')
        const first = async () => (await service.call(`${list}?limit=1`, { headers: headers() })).body.data[0].id
        const reply = await service.call(rest === undefined ? list : `${list}/${await first()}${rest}`, {
          headers: headers(),
        })
        assert.equal(reply.status, 200, JSON.stringify(reply.body))
        assertValid(endpoint, reply.body)
      })
    }
  }

  for (const endpoint of endpoints.filter(({ returns }) => returns === 'html')) {
    const { method, path } = endpoint
    test(`${nameOf(endpoint)} answers anyone with a page, also ids that do not exist and bodies that are none`, async () => {
      const ids = ['nope', '00000000-0000-4000-8000-000000000000', '%00', "'", 'x'.repeat(400), '%F0%9F%92%A9']
      for (const id of casesOf(ids)) {
        for (const body of method === 'GET' ? [undefined] : [undefined, '', '{}', 'a=%zz', 'x'.repeat(1_100_000)]) {
          const reply = await service.call(path.replaceAll(/:\w+/g, id), { method, body })
          assertPage(reply)
          assert.ok(reply.status < 500, reply.body)
          // The script of the dashboard says that there is no such page.
          if (path.includes(':') && !reply.body.includes('id="app"')) assert.ok(reply.status >= 400, `${reply.status}`)
        }
      }
    })
  }

  for (const endpoint of endpoints.filter(({ access }) => access === 'signed')) {
    test(`${nameOf(endpoint)} refuses what nobody signed`, async () => {
      for (const body of [undefined, '', '{}', '{"id":"evt_1","object":"event"}', 'x'.repeat(1_100_000)]) {
        const reply = await service.call(endpoint.path, { method: 'POST', body })
        assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status}`)
        assertError(reply, reply.status, reply.body.error.code)
      }
    })
  }

  test('the open endpoints answer without a key, as their schemas say', async () => {
    for (const endpoint of endpoints.filter(({ access, returns }) => access === 'open' && returns === 'object')) {
      const reply = await service.call(endpoint.path)
      assert.equal(reply.status, 200)
      assertValid(endpoint, reply.body)
    }
  })

  test('afterwards the ledger adds up and nothing is held', async () => {
    const { mintick } = service
    await mintick.admission.requestWriter.drain()
    assert.deepEqual((await mintick.store.audit.run()).problems, [])
    const accounts = await mintick.store.accounts.page(1_000, 0)
    for (const { id } of accounts.data) assert.equal(mintick.admission.meter.held(id), 0)
  })
})
