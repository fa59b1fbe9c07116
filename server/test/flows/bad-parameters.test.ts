/** Every query parameter of every endpoint: values that its schema forbids get a 400 that names it, never a 500. */
import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import fc from 'fast-check'
import { endpoints } from '../../src/api/index.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import { encodeCursor } from '../../src/http/paging.ts'
import type { ParamMarks } from '../../src/http/params.ts'
import { createSeriesId } from '../../src/sample/world/random.ts'
import { SAMPLE_SEED } from '../../src/sample/world/world.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

interface Param extends ParamMarks {
  type?: string
  format?: string
  enum?: string[]
  items?: Param
  minimum?: number
  maximum?: number
  default?: unknown
}

const UUID = '00000000-0000-4000-8000-000000000000'

/** Ids that exist in the sample, by the first segment of the path. */
const ID: Record<string, string> = {
  entries: createSeriesId(SAMPLE_SEED)(0),
  markets: 'aapl',
  'prediction-markets': 'will-bitcoin-close-above-124000-on-27-march-2026',
  topics: 'markets',
}

/** Endpoints with existing ids, so that valid requests succeed. Streams never end; stream.test.ts covers them. */
const ASKED = endpoints
  .filter(({ access, returns }) => access === 'key' && hasEnvelope(returns))
  .filter(({ query }) => Object.keys(query?.properties ?? {}).some((name) => name !== 'fields'))
  .map((endpoint) => ({
    ...endpoint,
    path: endpoint.path.replace(':id', ID[endpoint.path.split('/')[1] ?? ''] ?? ''),
    params: Object.entries(endpoint.query?.properties ?? {}) as [string, Param][],
  }))

/** Parameters without which requests are refused. */
const REQUIRED: Record<string, { name: string; query: string }> = {
  '/account/cost': { name: 'path', query: 'path=/entries' },
}

/** Returns a path with a query that tests the parameter `name`, and with the other required parameters. */
function withRequired(path: string, name: string, query: string): string {
  const required = REQUIRED[path]
  return `${path}?${query}${required === undefined || required.name === name ? '' : `&${required.query}`}`
}

function badValues(param: Param): string[] {
  if (param['x-paging'] && param.type === 'string') return ['', 'x', '%00', 'bnVsbA']
  if (param.type === 'array') {
    const ofItems = isPlainText(param.items) ? [] : badValues(param.items ?? {})
    return ['', ',', '%00', Array(21).fill(UUID).join(), ...ofItems.filter((value) => !value.includes(','))]
  }
  if (param.enum !== undefined) return ['', 'nonsense', `${param.enum[0]},${param.enum[0]}`, '__proto__', '%00']
  if (param.format === 'date-time') return ['', 'yesterday', '2026-02-30', '1767225600', '2026-01-01T25:00Z']
  if (param.format === 'uuid') return ['nope', UUID.slice(1)]
  if (param.type === 'boolean') return ['', 'maybe', '1', 'TRUE', 'true,false']
  if (param.type === 'integer' || param.type === 'number') return badNumbers(param)
  return ['%00', 'x'.repeat(1_001)]
}

function badNumbers({ type, minimum, maximum, 'x-clamp': isClamped }: Param): string[] {
  const absurd = ['', 'x', 'NaN', 'Infinity', '-1e999', '0x1', '1,5', ...(type === 'integer' ? ['1.5', '1e2'] : [])]
  const below = minimum === undefined ? [] : [String(minimum - 1), '-99999999999999999999']
  const above = maximum === undefined || isClamped ? [] : [String(maximum + 1), '99999999999999999999']
  return [...absurd, ...below, ...above]
}

const isPlainText = (param: Param | undefined) =>
  param?.type === 'string' && param.enum === undefined && param.format === undefined

/** Returns pairs of parameters that bound a range, with valid values in the wrong order. */
function reversedRanges(params: readonly [string, Param][]): [low: string, query: string][] {
  const known = new Map(params)
  return params.flatMap(([low, { minimum = 0, maximum = 0 }]): [string, string][] => {
    const [start, end] = low.endsWith('After') ? ['After', 'Before'] : ['Min', 'Max']
    const high = low.replace(start, end)
    if (!low.endsWith(start) || low === 'after' || !known.has(high)) return []
    const at = (share: number) => minimum + (maximum - minimum) * share
    const [from, to] = start === 'After' ? ['2026-02-02', '2026-02-01'] : [at(0.6), at(0.4)]
    return [[low, `${low}=${from}&${high}=${to}`]]
  })
}

onEveryEngine('bad parameters', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  let account: { id: string; key: string }
  let balance: number
  before(async () => {
    account = await service.openUnlimited()
    balance = await service.balance(account.id)
  })

  let charged = 0
  const ask = async (path: string) => {
    const reply = await service.api(path, account.key)
    if (reply.status === 200) charged += Number(reply.headers['x-credits-cost'])
    return reply
  }
  const refused = async (path: string, field: string) => {
    const reply = await ask(path)
    assert.equal(reply.status, 400, path)
    assertError(reply, 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(reply), [field], path)
  }
  afterEach(async () => {
    assert.equal(await service.balance(account.id), balance - charged, 'only answers are charged')
  })

  // Parameters are parsed before the store is read: one engine is enough.
  for (const { path, params } of engine === 'sqlite' ? ASKED : []) {
    test(`${path} answers 400 naming the parameter that is bad, alone or among good ones`, async () => {
      for (const [name, param] of params) {
        for (const value of badValues(param)) await refused(withRequired(path, name, `${name}=${value}`), name)
        await refused(withRequired(path, name, `${name}=1&${name}=1`), name)
        const others = params.filter(([other, { default: fallback }]) => other !== name && fallback !== undefined)
        const good = others.map(([other, { default: fallback }]) => `&${other}=${fallback}`).join('')
        await refused(withRequired(path, name, `${name}=${badValues(param).at(-1)}${good}`), name)
      }
      for (const [low, query] of reversedRanges(params)) await refused(`${path}?${query}`, low)
    })
  }

  test('ranges were found in the schemas', () => {
    const ranges = ASKED.flatMap(({ path, params }) => reversedRanges(params).map(([low]) => `${path} ${low}`))
    for (const known of [
      '/sec/insider-trades valueMin',
      '/markets/aapl/candles openedAfter',
      '/entries publishedAfter',
    ]) {
      assert.ok(ranges.includes(known), known)
    }
  })

  test('a forged cursor is 400 or leads somewhere, never 500', async () => {
    const keys = [
      [],
      [1],
      [1, 2],
      [1, 2, 3],
      [0.5, 1],
      [1, 0.5],
      [1e300, 1],
      [-1e300, 5],
      [2 ** 53, 2 ** 53],
      [1, -1e15],
    ]
    for (const { path, params } of ASKED.filter(({ returns }) => returns === 'cursor-list')) {
      const { body } = await ask(`${path}?limit=1`)
      assert.ok(body.meta.nextCursor)
      const [, , filters] = JSON.parse(
        Buffer.from(body.meta.nextCursor, 'base64url')
          .toString()
          .replace(/^.*?\./, ''),
      )
      const scope = { list: path.slice(path.lastIndexOf('/') + 1), filters }
      const sorts = params.find(([name]) => name === 'sortBy')?.[1].enum ?? []
      for (const sort of sorts) {
        for (const [index, key] of [...keys, [0.5], [1e300], [-(2 ** 31) - 1]].entries()) {
          const direction = index % 2 === 0 ? 'after' : 'before'
          const cursor = encodeCursor(scope, sort, key, index % 3 === 0)
          const query = sort.startsWith('relevance') ? '&query=gold' : ''
          const reply = await ask(`${path}?limit=1&sortBy=${sort}&${direction}=${cursor}${query}`)
          if (reply.status !== 400) assertOk(reply)
          else assert.deepEqual(fieldsOf(reply), [direction])
        }
      }
    }
  })

  test('any parameters with any values answer 200 or 400, and only 200 is charged', async () => {
    await fc.assert(
      fc.asyncProperty(hostileRequest, async (path) => {
        const reply = await ask(path)
        if (reply.status === 200) assertOk(reply)
        // At an early time, the record did not exist.
        else if (reply.status === 404 && path.includes('asOf=')) assertError(reply, 404, 'NOT_FOUND')
        else assertError(reply, 400, 'BAD_REQUEST')
      }),
      { numRuns: runs(engine === 'sqlite' ? 20 : 5, 300) },
    )
  })
})

function goodValues(param: Param): string[] {
  if (param.type === 'array') {
    const values = goodValues(param.items ?? {})
    return [...values, values.slice(0, 3).join(',')]
  }
  if (param['x-paging'] && param.type === 'string') return ['x']
  if (param.enum !== undefined) return param.enum
  if (param.format === 'date-time') return ['0000-01-01', '2026-02-20', '9999-12-31T23:59:59.999999999-23:59']
  if (param.format === 'uuid') return [UUID]
  if (param.type === 'boolean') return ['true', 'false']
  if (param.type === 'string')
    return ['gold', 'AAPL', 'en', '320193', '-the', '"a+b"', '日本', "'", '%25', '4', '*', '-']
  const { type, minimum = -1e15, maximum = 1e15 } = param
  return [minimum, maximum, type === 'integer' ? minimum + 1 : minimum + 0.25].map(String)
}

/** Requests of mostly good values, with a bad value now and then, so that all combinations are reached. */
const hostileRequest = fc.constantFrom(...ASKED).chain(({ path, params }) =>
  fc
    .array(
      fc
        .tuple(fc.constantFrom(...params), fc.integer({ min: 0, max: 19 }))
        .chain(([[name, param], dice]) =>
          fc.constantFrom(...(dice === 0 ? badValues(param) : goodValues(param))).map((value) => `${name}=${value}`),
        ),
      { maxLength: 5 },
    )
    .map((pairs) => encodeURI(`${path}?${pairs.join('&')}`).replaceAll('%25', '%')),
)
