/** The Python client, run by the system's python3, against the service on a port. */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { DAY } from '../../src/model/time.ts'
import { assertValid } from '../answer-schema.ts'
import { onAnyEngine, serviceForSuite } from '../harness.ts'
import { publishEntry, publishSignal, startStreamService, waitUntil, whilePublishing } from '../streams.ts'
import { TcpProxy } from '../tcp-proxy.ts'
import { endpointNamed, planCalls, SDK, WALK_ENV } from './walk.ts'

const FOLDER = join(SDK, 'python')
const CLIENT = join(FOLDER, 'mintick.py')
const skip = spawnSync('python3', ['--version']).status !== 0 && 'no python3 is installed'
// A machine that checks changes has Python.
if (skip && process.env.CI === 'true') throw new Error(skip)

const execute = promisify(execFile)

/** Runs a Python program that has imported the client, and returns its output as JSON, line by line. */
async function python(program: string, env: Record<string, string> = {}, path = FOLDER): Promise<unknown[]> {
  const start = `import json, mintick\nfrom datetime import *\nshow = lambda value: print(json.dumps(value, default=str), flush=True)\n`
  const { stdout } = await execute('python3', ['-c', start + program], { env: pythonEnv(path, env), timeout: 60_000 })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const pythonEnv = (path: string, env: Record<string, string>) => ({
  ...process.env,
  ...env,
  PYTHONPATH: path,
  PYTHONDONTWRITEBYTECODE: '1',
})

interface Walked {
  name: string
  body: { data: unknown; meta?: unknown }
  requestId: string
  creditsCost: number | null
  rateLimits: number
  textsOfTimes: string[]
}

describe('Python client', { skip }, () => {
  onAnyEngine('against the service', (engine) => {
    const service = serviceForSuite(engine, WALK_ENV)
    let url: string
    before(async () => {
      url = new URL('/', await service.listen()).href
    })
    const envOf = (key: string) => ({ MINTICK_URL: url, MINTICK_API_KEY: key })

    test('is served without a key, with an ETag, as a whole', async () => {
      const response = await fetch(new URL('/sdk/mintick.py', url))
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/x-python; charset=utf-8')
      assert.equal(await response.text(), readFileSync(CLIENT, 'utf8'))
      const again = await fetch(new URL('/sdk/mintick.py', url), {
        headers: { 'if-none-match': response.headers.get('etag') ?? '' },
      })
      assert.equal(again.status, 304)
    })

    test('lists are iterated over all pages, and give the same records as the API', async () => {
      const { key } = await service.openUnlimited()
      const [ids, count] = await python(
        `client = mintick.Client()
assets = client.assets.list(limit=60)
show([asset["id"] for asset in assets])
show(len(assets.all()))`,
        envOf(key),
      )
      const { meta } = await service.get('/assets', key)
      assert.equal(new Set(ids as string[]).size, meta.totalCount)
      assert.equal(count, meta.totalCount)
    })

    test('candles from a start are iterated to the end of the history', async () => {
      const { key } = await service.openUnlimited()
      const [closes, order] = await python(
        `candles = mintick.Client().markets.candles("BTC-USD", interval="1d", opened_after=date(2020, 1, 1), max_points=100).all()
show([candle["close"] for candle in candles])
times = [candle["openedAt"] for candle in candles]
show(times == sorted(set(times)))`,
        envOf(key),
      )
      const { data } = await service.get('/markets/BTC-USD/candles?openedAfter=2020-01-01&maxPoints=5000', key)
      assert.ok(data.length > 300)
      assert.deepEqual(
        closes,
        data.map(({ close }: { close: number }) => close),
      )
      assert.equal(order, true)
    })

    test('times are datetimes in UTC, both ways; a time without a zone is refused', async () => {
      const { key } = await service.openUnlimited()
      const [offset, sameIds, refusal] = await python(
        `client = mintick.Client()
first = next(iter(client.entries.list(sort_by="publishedAt:desc")))
show(first["publishedAt"].utcoffset().total_seconds())
zone = timezone(timedelta(hours=-5))
same = client.entries.list(published_after=first["publishedAt"].astimezone(zone))
show([entry["id"] for entry in same] == [first["id"]])
try:
    client.entries.list(published_after=datetime(2026, 1, 1)).page()
except ValueError as error:
    show(str(error))`,
        envOf(key),
      )
      assert.equal(offset, 0)
      assert.equal(sameIds, true)
      assert.match(String(refusal), /has no time zone/)
    })

    test('errors have their class, code, details and request id', async () => {
      const { key } = await service.open('free', 1)
      const seen = await python(
        `def caught(work):
    try:
        work()
    except mintick.ApiError as error:
        show([type(error).__name__, error.code, error.status, error.details, error.request_id, error.response.credits_remaining])
client = mintick.Client()
caught(lambda: client.entries.get("nope"))
caught(lambda: client.entries.list(limit=0).page())
caught(lambda: client.sec.insider_trades.list().page())
client.entries.list().page()
caught(lambda: client.entries.list().page())
caught(lambda: mintick.Client(api_key="mtk_" + "x" * 44).account.get())`,
        envOf(key),
      )
      const rows = seen as [string, string, number, unknown[], string, number | null][]
      assert.deepEqual(
        rows.map(([name, code, status, , , credits]) => [name, code, status, credits]),
        [
          ['NotFoundError', 'NOT_FOUND', 404, 1],
          ['BadRequestError', 'BAD_REQUEST', 400, 1],
          ['ForbiddenError', 'FORBIDDEN', 403, 1],
          ['InsufficientCreditsError', 'INSUFFICIENT_CREDITS', 402, 0],
          ['UnauthorizedError', 'UNAUTHORIZED', 401, null],
        ],
      )
      assert.deepEqual(rows[1]?.[3], [{ field: 'limit', message: 'must be a whole number from 1 to 100' }])
      for (const [, , , , requestId] of rows) assert.match(requestId, /^[0-9a-f-]{36}$/)
    })

    test('a POST whose answer is lost is repeated with one effect', async () => {
      const { id } = await service.open('custom', 0)
      const proxy = await TcpProxy.start(new URL(url))
      proxy.breakAt({ marker: 'credits', trigger: 'test grant', isForwarded: true, isCut: true })
      const [isReplayed] = await python(
        `admin = mintick.Admin()
admin.accounts.credits("${id}", credits=50, reason="test grant")
show(admin.last_response.is_replayed)`,
        { MINTICK_URL: proxy.urlOf(url), MINTICK_ADMIN_TOKEN: service.mintick.adminToken },
      )
      await proxy.close()
      assert.equal(isReplayed, true)
      assert.equal(await service.balance(id), 50)
    })

    test('records are handed to pandas and polars, which are imported only then', async () => {
      const { key } = await service.openUnlimited()
      const modules = mkdtempSync(join(tmpdir(), 'frames-'))
      writeFileSync(
        join(modules, 'pandas.py'),
        'class DataFrame:\n    @staticmethod\n    def from_records(rows):\n        return ("pandas", rows)\n',
      )
      writeFileSync(
        join(modules, 'polars.py'),
        'def from_dicts(rows, infer_schema_length):\n    return ("polars", rows)\n',
      )
      const program = `client = mintick.Client()
for work in (client.topics.list().pandas, client.topics.list().polars, client.stats.languages().pandas):
    try:
        kind, rows = work()
        show([kind, type(rows).__name__, len(rows), type(rows[0]).__name__, str(rows[0].get("createdAt"))])
    except ImportError as error:
        show(str(error))`
      const frames = await python(program, envOf(key), `${FOLDER}:${modules}`)
      rmSync(modules, { recursive: true })
      const topics = (await service.get('/topics?limit=1', key)).meta.totalCount
      const languages = (await service.get('/stats/languages', key)).data.length
      const [first] = (await service.get('/topics?limit=1', key)).data
      const createdAt = first.createdAt.replace('T', ' ').replace('Z', '000+00:00').replace('.000000', '')
      assert.deepEqual(frames, [
        ['pandas', 'list', topics, 'dict', createdAt],
        ['polars', 'list', topics, 'dict', createdAt],
        ['pandas', 'list', languages, 'dict', 'None'],
      ])
      assert.deepEqual(await python(program, envOf(key)), [
        'This method needs pandas: pip install pandas',
        'This method needs polars: pip install polars',
        'This method needs pandas: pip install pandas',
      ])
    })

    test('every example of its README runs', async () => {
      const { key } = await service.openUnlimited()
      const texts = readFileSync(join(FOLDER, 'README.md'), 'utf8')
      const examples = [...texts.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code)
      assert.equal(examples.length, 6)
      const modules = mkdtempSync(join(tmpdir(), 'frames-'))
      mkdirSync(join(modules, 'pandas'))
      writeFileSync(
        join(modules, 'pandas/__init__.py'),
        `class DataFrame(list):
    from_records = classmethod(lambda kind, rows: kind(rows))
    def set_index(self, name):
        return {row[name]: row for row in self}
`,
      )
      const program = examples.join('\n').replaceAll('mta_…', service.mintick.adminToken).replace('ada@', `${engine}@`)
      const { stdout } = await whilePublishing(
        service,
        () => ({ kind: 'material_event', strength: 0.9 }),
        () =>
          execute('python3', ['-c', program], {
            env: pythonEnv(`${FOLDER}:${modules}`, envOf(key)),
            timeout: 60_000,
          }),
      )
      rmSync(modules, { recursive: true })
      assert.match(stdout, /no such entry/)
      assert.match(stdout, /material_event/)
    })

    test('every endpoint can be called and answers what its schema says', async () => {
      const calls = await planCalls(service)
      const child = spawn('python3', [join(import.meta.dirname, 'python/walk.py'), CLIENT, url], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: pythonEnv(FOLDER, {}),
      })
      child.stdin.end(JSON.stringify(calls))
      const lines = (await child.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n')
      const walked: Walked[] = lines.map((line) => JSON.parse(line))
      assert.deepEqual(
        walked.map(({ name }) => name),
        calls.map(({ name }) => name),
      )
      for (const { name, body, requestId, creditsCost, rateLimits, textsOfTimes } of walked) {
        const endpoint = endpointNamed(name)
        assertValid(endpoint, body)
        assert.match(requestId, /^[0-9a-f-]{36}$/)
        assert.equal(creditsCost !== null, endpoint.access === 'key')
        assert.equal(rateLimits, endpoint.access === 'key' ? 3 : 0)
        // The records of an export are as the store has them.
        if (!name.endsWith('/export')) assert.deepEqual(textsOfTimes, [], name)
      }
    })
  })

  test('the type hints of all records and methods resolve', async () => {
    const [records, methods] = await python(`import typing
kinds = [kind for kind in vars(mintick).values() if isinstance(kind, type)]
show(len([typing.get_type_hints(kind) for kind in kinds if hasattr(kind, "__total__")]))
resources = [kind for kind in kinds if kind.__name__.endswith("Resource")]
show(len([typing.get_type_hints(member) for kind in resources for member in vars(kind).values() if callable(member)]))`)
    assert.ok(Number(records) > 50)
    assert.ok(Number(methods) > 90)
  })

  describe('streams', () => {
    let started: Awaited<ReturnType<typeof startStreamService>>
    let proxy: TcpProxy
    before(async () => {
      started = await startStreamService('sqlite')
      proxy = await TcpProxy.start(new URL(started.url))
    })
    after(async () => {
      await proxy.close()
      await started.service.stop()
    })
    const env = () => ({
      MINTICK_URL: new URL('/', proxy.urlOf(started.url)).href,
      MINTICK_API_KEY: started.account.key,
    })

    test('events are received once and in order across broken connections', async () => {
      const { service } = started
      const titles = Array.from({ length: 8 }, (_, number) => `Signal ${number}`)
      const first = await publishSignal(service, { title: 'before' })
      const reading = python(
        `for number, event in enumerate(mintick.Client().signals.stream(last_event_id=${first})):
    show([event["event"], event["data"]["signal"]["title"], event["data"]["signal"]["generatedAt"].utcoffset().total_seconds()])
    if number == ${titles.length - 1}:
        break`,
        env(),
      )
      const { streams } = service.mintick
      await waitUntil(() => streams.count === 1)
      for (const [number, title] of titles.entries()) {
        const isMissed = number === 2 || number === 5
        if (isMissed) {
          proxy.refuse()
          await waitUntil(() => streams.count === 0)
        }
        await publishSignal(service, { title })
        if (isMissed) {
          proxy.restore()
          await waitUntil(() => streams.count === 1)
        }
      }
      assert.deepEqual(
        await reading,
        titles.map((title) => ['signal', title, 0]),
      )
      await waitUntil(() => streams.count === 0)
    })

    test('entries are streamed with the filters of their list, and listed as changes', async () => {
      const { service } = started
      const first = await publishEntry(service, { title: 'Giraffes rest', url: 'https://zoo.example/1' })
      await publishEntry(service, { title: 'Zebra rallies', url: 'https://zoo.example/2' })
      const seen = await python(
        `event = next(iter(mintick.Client().entries.stream(search="zebras", last_event_id=${first})))
show([event["event"], event["data"]["entry"]["title"], event["data"]["change"]])
for change in mintick.Client().changes.list(type=["entry"], after="${first}"):
    show([change["action"], change["record"]["title"]])`,
        env(),
      )
      assert.deepEqual(seen, [
        ['entry', 'Zebra rallies', 'new'],
        ['insert', 'Zebra rallies'],
      ])
    })

    test('lost events are an error, and iterating again goes on after them', async () => {
      const { service } = started
      const lost = await publishSignal(service, { title: 'lost' })
      service.clock.advance(2 * DAY)
      await service.mintick.store.signalLog.prune(service.clock.now() - DAY)
      await publishSignal(service, { title: 'kept' })
      const seen = await python(
        `stream = mintick.Client().signals.stream(last_event_id=${lost - 1})
try:
    next(iter(stream))
except mintick.StreamGapError as error:
    show([error.from_id, error.to_id])
show(next(iter(stream))["data"]["signal"]["title"])`,
        env(),
      )
      assert.deepEqual(seen, [[lost, lost], 'kept'])
    })

    test('a refused stream is an error at once', async () => {
      const { key } = await started.service.open('free', 10)
      const seen = await python(
        `try:
    next(iter(mintick.Client().signals.stream()))
except mintick.ForbiddenError as error:
    show(error.code)`,
        { ...env(), MINTICK_API_KEY: key },
      )
      assert.deepEqual(seen, ['FORBIDDEN'])
    })
  })

  describe('failures', () => {
    /** Serves the replies in turn and returns the requests. */
    async function serve(context: TestContext, replies: ((response: ServerResponse) => void)[]) {
      const requests: IncomingMessage[] = []
      const server = createServer((request, response) => {
        requests.push(request)
        request.resume()
        const reply = replies[requests.length - 1] ?? ok
        reply(response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      context.after(() => {
        server.closeAllConnections()
        server.close()
      })
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { requests, env: { MINTICK_URL: url, MINTICK_API_KEY: 'mtk_key' } }
    }
    const ok = (response: ServerResponse) => response.end('{"success":true,"data":{},"meta":{}}')
    const cut = (response: ServerResponse) => response.destroy()
    const failure =
      (status: number, code: string, headers: Record<string, string> = {}) =>
      (response: ServerResponse) =>
        response.writeHead(status, headers).end(JSON.stringify({ error: { message: 'No', code } }))
    /** Replaces the wait before repetitions by a list of the seconds. */
    const waits = 'waited = []\nmintick.time.sleep = waited.append\nclient = mintick.Client()\n'

    test('what may be repeated is, after the time that the service names', async (context) => {
      const { requests, env } = await serve(context, [
        failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '7' }),
        cut,
        ok,
        cut,
        cut,
      ])
      const [waited] = await python(
        `${waits}client.account.get()
client.billing.checkout.create(package_id="credits_1000")
show(waited)`,
        env,
      )
      const [first, second = 0, ...rest] = waited as number[]
      assert.equal(first, 7)
      assert.ok(second >= 0.5 && second <= 1)
      assert.equal(rest.length, 2)
      const keys = requests.slice(3).map(({ headers }) => headers['idempotency-key'])
      assert.equal(keys.length, 3)
      assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
      assert.equal(new Set(keys).size, 1)
    })

    test('a PATCH is never repeated, nor what waits above a minute or fails for good', async (context) => {
      const { requests, env } = await serve(context, [
        cut,
        failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '61' }),
        failure(402, 'INSUFFICIENT_CREDITS'),
        (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        (response) => response.end('<html>'),
        (response) => response.writeHead(404).end('null'),
      ])
      const seen = await python(
        `${waits}for work in (lambda: client.account.keys.update("id", name="new"),) + (client.account.get,) * 5:
    try:
        work()
    except mintick.MintickError as error:
        show([type(error).__name__, getattr(error, "code", None), getattr(error, "status", None)])
show(waited)`,
        env,
      )
      assert.deepEqual(seen, [
        ['NetworkError', null, null],
        ['RateLimitExceededError', 'RATE_LIMIT_EXCEEDED', 429],
        ['InsufficientCreditsError', 'INSUFFICIENT_CREDITS', 402],
        ['ApiError', null, 302],
        ['ApiError', null, 200],
        ['ApiError', null, 404],
        [],
      ])
      assert.equal(requests.length, 6)
    })

    test('a lost secret, a silent service and what is not an id are errors', async (context) => {
      const { env } = await serve(context, [
        cut,
        (response) => response.writeHead(200, { 'idempotent-replayed': 'true' }).end('{"data":{"id":"key-1"}}'),
        () => {},
      ])
      const seen = await python(
        `${waits}try:
    client.account.keys.create(name="laptop")
except mintick.SecretLostError as error:
    show(error.data)
try:
    mintick.Client(timeout=0.1, max_retries=0).account.get()
except mintick.RequestTimeoutError as error:
    show(type(error).__name__)
for id in ("", ".", ".."):
    try:
        client.entries.get(id)
    except ValueError as error:
        show(str(error))`,
        env,
      )
      assert.deepEqual(seen, [
        { id: 'key-1' },
        'RequestTimeoutError',
        "'' is not an id",
        "'.' is not an id",
        "'..' is not an id",
      ])
    })

    test('a body has None as null, and omits what is not given', async (context) => {
      const bodies: string[] = []
      const server = createServer(async (request, response) => {
        bodies.push((await request.setEncoding('utf8').toArray()).join(''))
        ok(response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      context.after(() => {
        server.closeAllConnections()
        server.close()
      })
      await python('mintick.Client().account.alerts.update(low_balance=5, webhook_url=None)', {
        MINTICK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        MINTICK_API_KEY: 'mtk_key',
      })
      assert.deepEqual(
        bodies.map((body) => JSON.parse(body)),
        [{ lowBalance: 5, webhookUrl: null }],
      )
    })

    test('without an address or a key it says what to do', async () => {
      const seen = await python(
        `for work in (lambda: mintick.Client(api_key="mtk_key"), lambda: mintick.Client("http://127.0.0.1"), lambda: mintick.Admin()):
    try:
        work()
    except ValueError as error:
        show(str(error))`,
        { MINTICK_URL: '', MINTICK_API_KEY: '', MINTICK_ADMIN_TOKEN: '' },
      )
      assert.deepEqual(seen, [
        'Pass url, or set MINTICK_URL to the address of the service',
        'Pass api_key, or set MINTICK_API_KEY',
        'Pass token, or set MINTICK_ADMIN_TOKEN',
      ])
    })
  })
})
