/** The parameter `fields`, which selects fields of the records in an answer. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { endpoints } from '../../src/api/index.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, type Reply, serviceForSuite } from '../harness.ts'

const selecting = endpoints.filter(
  ({ query, returns }) => query?.properties.fields !== undefined && hasEnvelope(returns),
)
const isOfData = (path: string) => !/^\/(account|billing)/.test(path)
/** Fields whose names are data: they are selected as a whole. */
const MAPS = ['secRecords', 'probabilities']

/** Returns the paths of all fields that an answer has, such as `publisher.name`. */
function pathsIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsIn(item, prefix)))]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    prefix + name,
    ...(MAPS.includes(name) ? [] : pathsIn(member, `${prefix}${name}.`)),
  ])
}

/** Returns the value with the fields at these paths only. */
function withPaths(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withPaths(item, paths))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, member]) => {
    if (paths.includes(name)) return [[name, member]]
    const below = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
    return below.length === 0 ? [] : [[name, withPaths(member, below)]]
  })
  return Object.fromEntries(kept)
}

onEveryEngine('fields', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  let account: { id: string; key: string }
  before(async () => {
    account = await service.openUnlimited()
  })
  const ask = (path: string, headers = {}) => service.api(path, account.key, { headers })
  const get = async (path: string): Promise<Reply> => {
    const reply = await ask(path)
    assertOk(reply)
    return reply
  }

  test('every list and object of the data API and the account has them, streams do not', () => {
    const reading = endpoints.filter(({ access, method }) => access === 'key' && method === 'GET')
    assert.deepEqual(
      reading.filter(({ returns }) => hasEnvelope(returns)),
      selecting,
    )
  })

  for (const endpoint of selecting.filter(({ path }) => isOfData(path))) {
    test(`${endpoint.path} answers with any selection of its fields, in their order, at the same cost`, async () => {
      const [list = '', rest] = endpoint.path.split('/:id')
      const ofEntry = list === '/signals/by-entry' ? '/entries' : list
      const id = rest === undefined ? undefined : (await get(`${ofEntry}?limit=1`)).body.data[0].id
      const limited = endpoint.query?.properties.limit === undefined ? '' : 'limit=3&'
      const path = `${id === undefined ? list : `${list}/${id}${rest}`}?${limited}`
      const whole = await get(path)
      const paths = pathsIn(whole.body.data)
      if (paths.length === 0) return
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 8 }), async (chosen) => {
          const reply = await get(`${path}fields=${chosen.join()}`)
          const { data, ...meta } = whole.body
          assert.equal(
            JSON.stringify(reply.body),
            JSON.stringify({ success: meta.success, data: withPaths(data, chosen), ...meta }),
          )
          assert.equal(reply.headers['x-credits-cost'], whole.headers['x-credits-cost'])
        }),
        { numRuns: runs(2, 40) },
      )
    })
  }

  test('unknown names are refused with the nearest field, and nothing is charged', async () => {
    const balance = await service.balance(account.id)
    for (const [given, message] of [
      ['titles', 'has names that are no fields of the record: "titles" (the nearest one is "title")'],
      [
        'id,publisher.nam',
        'has names that are no fields of the record: "publisher.nam" (the nearest one is "publisher.name")',
      ],
      ['zzz,title.x', 'has names that are no fields of the record: "zzz", "title.x" (the nearest one is "title")'],
      ['Title', 'has names that are no fields of the record: "Title" (the nearest one is "title")'],
      ['a1,a2,a3,a4,a5,a6,a7', 'has names that are no fields of the record: "a1", "a2", "a3", "a4", "a5" and 2 more'],
      ['id,,title', 'must not be empty'],
      ['<script>', 'has names that are no fields of the record: "?script?"'],
      ['.', 'has names that are no fields of the record: "."'],
      ['__proto__', 'has names that are no fields of the record: "__proto__"'],
    ] as const) {
      const reply = await ask(`/entries?limit=1&fields=${given}`)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(reply.body.error.details, [{ field: 'fields', message }], given)
    }
    assert.equal(await service.balance(account.id), balance)
  })

  test('a repeated name, and one within a selected object, change nothing', async () => {
    const [one, other] = await Promise.all([
      get('/entries?limit=2&include=publisher&fields=publisher,id'),
      get('/entries?limit=2&include=publisher&fields=id,publisher.name,id,publisher,publisher.slug'),
    ])
    assert.deepEqual(one.body, other.body)
  })

  test('include adds parts, fields only selects them', async () => {
    const [bare, whole] = await Promise.all([
      get('/entries?limit=1&fields=id,publisher'),
      get('/entries?limit=1&fields=id,publisher&include=publisher'),
    ])
    assert.deepEqual(Object.keys(bare.body.data[0]), ['id'])
    assert.deepEqual(Object.keys(whole.body.data[0]), ['id', 'publisher'])
  })

  test('pages of a selection follow each other, with the cursors of the whole records', async () => {
    const first = await get('/entries?limit=2&fields=id')
    const next = await get(`/entries?limit=2&after=${first.body.meta.nextCursor}`)
    const four = await get('/entries?limit=4&fields=id')
    const ids = [...first.body.data, ...next.body.data].map(({ id }) => ({ id }))
    assert.deepEqual(ids, four.body.data)
  })

  test('a tree is selected on each of its levels', async () => {
    const { data } = (await get('/topics/tree?fields=slug,children.slug')).body
    assert.deepEqual(Object.keys(data[0]), ['slug', 'children'])
    assert.deepEqual(Object.keys(data[0].children[0]), ['slug'])
  })

  test('each selection has its own ETag, which is answered with 304 and at the same cost', async () => {
    const tags = new Set<string>()
    for (const query of ['', '&fields=id', '&fields=id,title']) {
      const { headers } = await get(`/entries?limit=3${query}`)
      tags.add(headers.etag ?? '')
      const again = await ask(`/entries?limit=3${query}`, { 'if-none-match': headers.etag })
      assert.equal(again.status, 304)
      assert.equal(again.headers['x-credits-cost'], '1')
    }
    assert.equal(tags.size, 3)
  })

  test('the account, its usage and its logs can be selected, and the demo key may select too', async () => {
    assert.deepEqual(Object.keys((await get('/account?fields=balance')).body.data), ['balance'])
    assert.deepEqual(Object.keys((await get('/account/usage?fields=credits.used')).body.data.credits), ['used'])
    assert.deepEqual(Object.keys((await get('/account/logs?limit=1&fields=route')).body.data[0]), ['route'])
    const demo = await service.api('/assets?fields=key', 'mtk_demo')
    assertOk(demo)
    assert.deepEqual(Object.keys(demo.body.data[0]), ['key'])
  })
})
