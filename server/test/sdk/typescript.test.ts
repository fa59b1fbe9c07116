/** The TypeScript client against the service on a port. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MintickAdmin } from '../../../sdk/src/admin.ts'
import {
  type Call,
  ForbiddenError,
  InsufficientCreditsError,
  Mintick,
  NotFoundError,
  type Page,
  StreamGapError,
  UnauthorizedError,
} from '../../../sdk/src/index.ts'
import { DAY } from '../../src/model/time.ts'
import { assertValid } from '../answer-schema.ts'
import { type Engine, onAnyEngine, serviceForSuite } from '../harness.ts'
import { publishEntry, publishSignal, startStreamService, waitUntil } from '../streams.ts'
import { TcpProxy } from '../tcp-proxy.ts'
import { endpointNamed, methods, type PlannedCall, planCalls, WALK_ENV } from './walk.ts'

type Methods = { [name: string]: Methods } & ((...args: unknown[]) => Call<unknown>)

function make({ client, token, method, args, params }: PlannedCall, url: string): Call<unknown> {
  const root = client === 'admin' ? new MintickAdmin({ url, token }) : new Mintick({ url, apiKey: token })
  const path = method.slice(0, -1)
  const resource = path.reduce((found, name) => found[name] as Methods, root as unknown as Methods)
  return (resource[method.at(-1) ?? ''] as Methods).call(resource, ...args, params ?? undefined)
}

onAnyEngine('TypeScript client', (engine) => {
  const service = serviceForSuite(engine, WALK_ENV)
  let url: string
  before(async () => {
    url = new URL('/', await service.listen()).href
  })

  const clientOf = (apiKey: string, send?: typeof fetch) => new Mintick({ url, apiKey, fetch: send })

  test('lists are iterated over all pages, each requested when the one before is used up', async () => {
    const { key } = await service.openUnlimited()
    let requests = 0
    const client = clientOf(key, (input, init) => {
      requests += 1
      return fetch(input, init)
    })
    const list = client.entries.list({ limit: 100 })
    const { meta } = await list
    const ids = new Set<string>()
    for await (const entry of list) {
      assert.equal(requests, Math.floor(ids.size / 100) + 1)
      ids.add(entry.id)
    }
    assert.equal(ids.size, meta.totalCount)
    assert.ok(requests > 10, `${requests}`)
  })

  test('lists by offset and by page number are iterated as well', async () => {
    const { key } = await service.openUnlimited()
    const client = clientOf(key)
    const assets: string[] = []
    for await (const { id } of client.assets.list({ limit: 60 })) assets.push(id)
    assert.equal(new Set(assets).size, (await client.assets.list()).meta.totalCount)
    assert.ok(assets.length > 240)
    const admin = new MintickAdmin({ url, token: service.mintick.adminToken })
    const accounts: string[] = []
    for await (const { id } of admin.accounts.list({ limit: 1 })) accounts.push(id)
    assert.ok(accounts.length > 3)
    assert.deepEqual(
      accounts,
      (await admin.accounts.list()).data.map(({ id }) => id),
    )
  })

  test('candles from a start are iterated to the end of the history', async () => {
    const client = clientOf((await service.openUnlimited()).key)
    const request = { interval: '1d', openedAfter: '2020-01-01' } as const
    const whole = (await client.markets.candles('BTC-USD', { ...request, maxPoints: 5_000 })).data
    const parts: typeof whole = []
    for await (const candle of client.markets.candles('BTC-USD', { ...request, maxPoints: 100 })) parts.push(candle)
    assert.ok(whole.length > 300)
    assert.deepEqual(parts, whole)
  })

  test('selected fields are returned, and their types say that others are not', async () => {
    const client = clientOf((await service.openUnlimited()).key)
    const { data } = await client.entries.list({ limit: 1, fields: ['id', 'title'] })
    const title: string | undefined = data[0]?.title
    assert.deepEqual(Object.keys(data[0] ?? {}), ['id', 'title'])
    assert.ok(title)
    assert.deepEqual(Object.keys(await client.stats.get({ fields: 'entries' })), ['entries'])
  })

  test('errors have their class, request id and details', async () => {
    const { key } = await service.open('free', 1)
    const client = clientOf(key)
    const wrong = await clientOf(`mtk_${'x'.repeat(44)}`)
      .account.get()
      .catch((error) => error)
    assert.ok(wrong instanceof UnauthorizedError)
    assert.match(wrong.requestId ?? '', /^[0-9a-f-]{36}$/)
    await assert.rejects(client.entries.get('nope'), NotFoundError)
    await assert.rejects(client.sec.insiderTrades.list(), ForbiddenError)
    await assert.rejects(client.entries.list({ limit: 0 }), {
      code: 'BAD_REQUEST',
      details: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }],
    })
    await client.entries.list()
    await assert.rejects(client.entries.list(), (error) => {
      assert.ok(error instanceof InsufficientCreditsError)
      assert.deepEqual(error.response.credits, { cost: 0, remaining: 0 })
      return true
    })
  })

  test('credits and rate limits of an answer are those of the account', async () => {
    const { id, key } = await service.open('free', 50)
    const { response } = await clientOf(key).entries.list().withResponse()
    assert.deepEqual(response.credits, { cost: 1, remaining: await service.balance(id) })
    assert.deepEqual(response.rateLimits[0], {
      window: 'burst',
      remaining: 14,
      resetSeconds: 6,
      quota: 15,
      windowSeconds: 90,
    })
  })

  test('a POST whose answer is lost is repeated with one effect', async () => {
    const { id, key } = await service.open('custom', 0)
    const proxy = await TcpProxy.start(new URL(url))
    proxy.breakAt({ marker: 'credits', trigger: 'test grant', isForwarded: true, isCut: true })
    const admin = new MintickAdmin({ url: proxy.urlOf(url), token: service.mintick.adminToken })
    const { response } = await admin.accounts.credits(id, { credits: 50, reason: 'test grant' }).withResponse()
    await proxy.close()
    assert.equal(response.isReplayed, true)
    assert.equal((await clientOf(key).account.get()).credits.balance, 50)
  })

  describe('streams', () => streams(engine))

  test('every endpoint can be called and answers what its schema says', async () => {
    const calls = await planCalls(service)
    assert.deepEqual(
      methods
        .filter(({ kind }) => kind !== 'stream')
        .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
        .sort(),
      calls.map(({ name }) => name).sort(),
    )
    for (const call of calls) {
      const { data, response } = await make(call, url).withResponse()
      const { data: items, meta } = data as Page<unknown, unknown>
      assertValid(endpointNamed(call.name), { success: true, ...(call.isList ? { data: items, meta } : { data }) })
      assert.match(response.requestId ?? '', /^[0-9a-f-]{36}$/)
      if (endpointNamed(call.name).access === 'key') assert.equal(response.rateLimits.length, 3)
    }
  })
})

function streams(engine: Engine): void {
  let started: Awaited<ReturnType<typeof startStreamService>>
  let proxy: TcpProxy
  before(async () => {
    started = await startStreamService(engine)
    proxy = await TcpProxy.start(new URL(started.url))
  })
  after(async () => {
    await proxy.close()
    await started.service.stop()
  })

  const open = (params: { lastEventId?: number } = {}, signal?: AbortSignal) =>
    new Mintick({ url: new URL('/', proxy.urlOf(started.url)), apiKey: started.account.key }).signals.stream(params, {
      signal,
    })
  /** Waits for the first event, `ready`: signals before it are not sent. */
  const isReady = (stream: { lastEventId: number | undefined }) => waitUntil(() => stream.lastEventId !== undefined)
  const streamsOpen = (count: number) => waitUntil(() => started.service.mintick.streams.count === count)

  test('events are received once and in order across broken connections', async () => {
    const titles = Array.from({ length: 8 }, (_, number) => `Signal ${number}`)
    const seen: string[] = []
    const states: string[] = []
    const stream = open()
    stream.onState = (state) => states.push(state)
    const reading = (async () => {
      for await (const { event, data } of stream) {
        assert.equal(event, 'signal')
        seen.push(data.signal.title)
        if (seen.length === titles.length) break
      }
    })()
    await isReady(stream)
    for (const [number, title] of titles.entries()) {
      const isMissed = number === 2 || number === 5
      if (isMissed) {
        proxy.refuse()
        await streamsOpen(0)
      }
      await publishSignal(started.service, { title })
      if (isMissed) {
        proxy.restore()
        await streamsOpen(1)
        await waitUntil(() => states.at(-1) === 'open')
      }
    }
    await reading
    assert.deepEqual(seen, titles)
    assert.match(states.join(' '), /^connecting open( waiting( connecting waiting)* connecting open){2} ended$/)
    await streamsOpen(0)
  })

  test('entries are streamed with the filters of their list, and listed as changes', async () => {
    const { service, account, url } = started
    const client = new Mintick({ url: new URL('/', url), apiKey: account.key })
    const stream = client.entries.stream({ search: 'zebras' })
    const reading = (async () => {
      for await (const { event, data } of stream) return [event, data.entry.title, data.change]
    })()
    await isReady(stream)
    await publishEntry(service, { title: 'Giraffes rest', url: 'https://zoo.example/1' })
    await publishEntry(service, { title: 'Zebra rallies', url: 'https://zoo.example/2' })
    assert.deepEqual(await reading, ['entry', 'Zebra rallies', 'new'])
    const listed: unknown[] = []
    for await (const { action, record } of client.changes.list({ type: ['entry'] })) {
      listed.push([action, record !== null && 'title' in record && record.title])
    }
    assert.deepEqual(listed, [
      ['insert', 'Giraffes rest'],
      ['insert', 'Zebra rallies'],
    ])
    await streamsOpen(0)
  })

  test('a break frees the connection, and iterating again goes on after the last event', async () => {
    const { service } = started
    const stream = open()
    const next = async () => {
      for await (const { id, data } of stream) return { id, title: data.signal.title }
      return undefined
    }
    const first = next()
    await isReady(stream)
    const id = await publishSignal(service, { title: 'one' })
    assert.deepEqual(await first, { id, title: 'one' })
    await streamsOpen(0)
    await publishSignal(service, { title: 'two' })
    assert.equal((await next())?.title, 'two')
    assert.equal(stream.lastEventId, id + 1)
    await streamsOpen(0)
  })

  test('lost events are an error, and iterating again goes on after them', async () => {
    const { service } = started
    const lost = await publishSignal(service, { title: 'lost' })
    service.clock.advance(2 * DAY)
    await service.mintick.store.signalLog.prune(service.clock.now() - DAY)
    await publishSignal(service, { title: 'kept' })
    const stream = open({ lastEventId: lost - 1 })
    const next = async () => {
      for await (const { data } of stream) return data.signal.title
      return undefined
    }
    await assert.rejects(
      next(),
      (error) => error instanceof StreamGapError && error.fromId === lost && error.toId === lost,
    )
    assert.equal(await next(), 'kept')
  })

  test('a stream that a restored service does not remember is an error, and goes on from its head', async () => {
    const { service } = started
    const head = await publishSignal(service, { title: 'known' })
    const stream = open({ lastEventId: head + 5 })
    const next = async () => {
      for await (const { data } of stream) return data.signal.title
      return undefined
    }
    await assert.rejects(next(), (error) => error instanceof StreamGapError && error.toId === head + 5)
    assert.equal(stream.lastEventId, head)
    await publishSignal(service, { title: 'next' })
    assert.equal(await next(), 'next')
  })

  test('an aborted stream throws the reason and frees the connection', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const reading = assert.rejects(async () => {
      for await (const _ of open({}, stop.signal)) assert.fail()
    }, reason)
    await streamsOpen(1)
    stop.abort(reason)
    await reading
    await streamsOpen(0)
  })

  test('a refused stream throws at once', async () => {
    const { key } = await started.service.open('free', 10)
    await assert.rejects(async () => {
      for await (const _ of new Mintick({ url: new URL('/', started.url), apiKey: key }).signals.stream()) assert.fail()
    }, ForbiddenError)
  })
}
