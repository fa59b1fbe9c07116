import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { parquetReadObjects } from 'hyparquet'
import { effectiveCost } from '../../src/plans/cost.ts'
import { PLANS } from '../../src/plans/plans.ts'
import { assertError } from '../envelope.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'
import { loggedRequest } from '../logged-request.ts'

type Row = Record<string, unknown>

const DAY = 86_400_000
const HOUR = 3_600_000

onEveryEngine('daily export files', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on', EXPORT_FILES_DAYS: '3' })
  let url: string
  let key: string
  before(async () => {
    url = await service.listen()
    key = (await service.openUnlimited()).key
    await service.mintick.dailyFiles?.run()
  })
  const list = async (query = '', token = key): Promise<Row[]> =>
    (await service.get(`/export/files?limit=100${query}`, token)).data
  const fetchFile = (id: unknown, token: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/export/files/${id}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
  const fileOf = async (dataset: string, day: string) =>
    (await list(`&dataset=${dataset}&dayAfter=${day}&dayBefore=${day}`))[0] ?? assert.fail(`${dataset} ${day}`)

  test('each dataset has a file per day, with the rows of its list on that day, bytes, checksum and price', async () => {
    const files = await list()
    assert.ok(files.length > 5)
    assert.deepEqual([...new Set(files.map(({ day }) => day))], ['2026-03-01', '2026-02-28', '2026-02-27'])
    const entries = await fileOf('entries', '2026-03-01')
    const bytes = await bytesOf(await fetchFile(entries.id, key))
    assert.equal(bytes.length, entries.bytes)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), entries.sha256)
    const rows = await parquetReadObjects({ file: bytes.buffer })
    const query = 'publishedAfter=2026-03-01&publishedBefore=2026-03-01T23:59:59.999Z&sortBy=publishedAt:asc&limit=100'
    const listed = (await service.get(`/entries?${query}`, key)).data
    assert.ok(listed.length > 10)
    assert.deepEqual(
      rows.slice(0, 100).map(({ id }) => id),
      listed.map(({ id }: Row) => id),
    )
    assert.equal(rows.length, entries.rows)
    assert.equal(entries.credits, Math.ceil(rows.length / 100))
  })

  test('a file is paid for once per account; ranges and repetitions are free, also without credits', async () => {
    const file = await fileOf('insider-trades', '2026-02-27')
    const price = Math.ceil(Number(file.rows) / 100) * effectiveCost(2, PLANS.professional)
    const account = await service.open('professional', price + 1)
    const [priced] = await list(`&dataset=insider-trades&dayBefore=2026-02-27`, account.key)
    assert.deepEqual([priced?.credits, priced?.isPaid], [price, false])
    const replies = await Promise.all(Array.from({ length: 5 }, () => fetchFile(file.id, account.key)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    )
    const costs = replies.map(({ headers }) => Number(headers.get('x-credits-cost')))
    assert.equal(
      costs.reduce((sum, cost) => sum + cost, 0),
      price,
    )
    const [whole] = await Promise.all(replies.map(bytesOf))
    assert.equal(await service.balance(account.id), 0)
    const part = await fetchFile(file.id, account.key, { range: 'bytes=100-' })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 100-${Number(file.bytes) - 1}/${file.bytes}`)
    assert.deepEqual(await bytesOf(part), whole?.slice(100))
    // The rest of another file would not fit.
    const other = await fetchFile(file.id, account.key, { range: 'bytes=100-', 'if-range': '"other"' })
    assert.equal(other.status, 200)
    assert.deepEqual(await bytesOf(other), whole)
    const etag = other.headers.get('etag') ?? ''
    const same = await fetchFile(file.id, account.key, { range: 'bytes=0-3', 'if-range': etag })
    assert.equal(Buffer.from(await bytesOf(same)).toString(), 'PAR1')
    assert.equal((await fetchFile(file.id, account.key, { 'if-none-match': etag })).status, 304)
    const beyond = await fetchFile(file.id, account.key, { range: `bytes=${file.bytes}-` })
    assert.equal(beyond.status, 416)
    await beyond.arrayBuffer()
    assert.equal(await service.balance(account.id), 0)
  })

  test('ranges are those of RFC 9110: edges, suffixes, several, beyond the end, for another file', async () => {
    const file = await fileOf('entries', '2026-03-01')
    const size = Number(file.bytes)
    const whole = await bytesOf(await fetchFile(file.id, key))
    const etag = `"${file.sha256}"`
    const last = size - 1
    for (const [range, first, end, more = {}] of [
      ['bytes=0-0', 0, 0],
      [`bytes=${last}-`, last, last],
      [`bytes=${last}-${last + 100}`, last, last],
      ['bytes=-1', last, last],
      [`bytes=-${size + 5}`, 0, last],
      ['bytes=0-99999999999999999999', 0, last],
      ['bytes=4-9', 4, 9, { 'if-range': etag }],
    ] as const) {
      const part = await fetchFile(file.id, key, { range, ...more })
      assert.equal(part.status, 206, range)
      assert.equal(part.headers.get('content-range'), `bytes ${first}-${end}/${size}`)
      assert.equal(part.headers.get('content-length'), String(end - first + 1))
      assert.deepEqual(await bytesOf(part), whole.slice(first, end + 1), range)
    }
    for (const headers of [
      { range: 'bytes=0-1,4-5' },
      { range: 'bytes=5-4' },
      { range: 'lines=0-1' },
      { range: 'bytes=0-3', 'if-range': `"${'0'.repeat(64)}"` },
      { range: 'bytes=0-3', 'if-range': `W/${etag}` },
      { range: 'bytes=0-3', 'if-range': 'Sun, 01 Mar 2026 00:00:00 GMT' },
    ]) {
      const answer = await fetchFile(file.id, key, headers)
      assert.equal(answer.status, 200, JSON.stringify(headers))
      assert.deepEqual(await bytesOf(answer), whole)
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${size + 1}-${size + 2}`]) {
      const answer = await fetchFile(file.id, key, { range })
      assert.equal(answer.status, 416, range)
      assert.equal(answer.headers.get('content-range'), `bytes */${size}`)
      assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'BAD_REQUEST')
    }
    for (const tags of [etag, `"other", W/${etag}`, '*']) {
      assert.equal((await fetchFile(file.id, key, { 'if-none-match': tags })).status, 304, tags)
    }
  })

  test('HEAD has the headers of the file and is free, also before it is paid for', async () => {
    const file = await fileOf('entries', '2026-03-01')
    const account = await service.open('professional', 1)
    const head = await service.api(`/export/files/${file.id}`, account.key, {
      method: 'HEAD',
      headers: { range: 'bytes=0-3' },
    })
    assert.deepEqual(
      [head.status, head.body, head.headers['content-length'], head.headers.etag, head.headers['x-credits-cost']],
      [200, undefined, String(file.bytes), `"${file.sha256}"`, '0'],
    )
    assert.equal(await service.balance(account.id), 1)
  })

  test('the log has a paid download with its credits, also if the process ends before the file is sent', async () => {
    const file = await fileOf('entries', '2026-03-01')
    const price = Number(file.credits)
    const account = await service.open('enterprise', 1_000)
    const reply = await fetchFile(file.id, account.key)
    await bytesOf(reply)
    await fetchFile(file.id, account.key, { range: 'bytes=0-3' }).then(bytesOf)
    assert.equal(await service.balance(account.id), 1_000 - price)
    // A download is logged once it is sent, which its client may notice first.
    let data: Row[] = []
    while (data.length < 2) {
      ;({ data } = await service.get(`/account/logs?path=/api/v1/export/files/${file.id}`, account.key))
    }
    assert.deepEqual(
      data.map(({ creditsCharged, responseBytes, statusCode }: Row) => [statusCode, creditsCharged, responseBytes]),
      [
        [206, 0, 4],
        [200, price, file.bytes],
      ],
    )
    assert.equal(data[1]?.requestId, reply.headers.get('x-request-id'))
    const { data: history } = await service.get('/billing/history?detail=true&type=usage', account.key)
    assert.deepEqual(
      history.map((item: Row) => [item.credits, item.requestId]),
      [[-price, reply.headers.get('x-request-id')]],
    )
    const { store, clock } = service.mintick
    const other = await service.open('enterprise', 1_000)
    const [held] = await store.keys.list(other.id)
    const request = loggedRequest({
      accountId: other.id,
      apiKeyId: held?.id ?? '',
      createdAt: clock.now(),
      endpoint: 'GET /export/files/:id',
      credits: 0,
      responseBytes: 0,
    })
    await store.exportFiles.pay({ file: { id: String(file.id), rows: Number(file.rows) }, credits: price, request })
    const logged = await store.requestLog.page(other.id, {}, 10, 0)
    assert.deepEqual(
      logged.data.map(({ id, credits }) => [id, credits]),
      [[request.id, price]],
    )
    assert.equal((await service.get('/account/usage', other.key)).data.credits.used, price)
  })

  test('a file that cannot be read is 503 and costs nothing', async () => {
    const { store, clock } = service.mintick
    const file = {
      dataset: 'entries',
      day: '1999-01-01',
      rows: 500,
      bytes: 9,
      sha256: '',
      rowsSha256: '',
      version: null,
    }
    const id = randomUUID()
    await store.exportFiles.add({ ...file, id, createdAt: clock.now() })
    const account = await service.open('enterprise', 10)
    assert.equal((await service.api(`/export/files/${id}`, account.key)).status, 503)
    assert.equal(await service.balance(account.id), 10)
    await store.exportFiles.remove(id)
  })

  test('two instances that build and sell at once have a file per day, which is paid for once', async () => {
    if (engine !== 'postgres') return
    const twin = await service.twin()
    try {
      const before = await list('&includeSuperseded=true')
      const rows = [{ url: 'https://late.example/two', title: 'Late', publishedAt: '2026-02-27T12:00:00Z' }]
      await service.admin('/import/entries', { method: 'POST', body: { rows } })
      await Promise.all([service.mintick.dailyFiles?.run(), twin.mintick.dailyFiles?.run()])
      const after = await list('&includeSuperseded=true')
      assert.equal(after.length, before.length + 1)
      const current = await fileOf('entries', '2026-02-27')
      const account = await service.open('enterprise', 1_000)
      const headers = { authorization: `Bearer ${account.key}` }
      const replies = await Promise.all(
        [url, await twin.listen(), url].map((base) => fetch(`${base}/export/files/${current.id}`, { headers })),
      )
      const files = await Promise.all(replies.map(bytesOf))
      for (const bytes of files) assert.equal(createHash('sha256').update(bytes).digest('hex'), current.sha256)
      assert.equal(await service.balance(account.id), 1_000 - Number(current.credits))
    } finally {
      await twin.mintick.close()
    }
  })

  test('a build that was killed leaves nothing: it is repeated under the same name', async () => {
    const folder = join(service.place.env.DATA_DIR ?? '', 'exports')
    const stored = () => readdirSync(folder, { recursive: true }).map(String).sort()
    const before = stored()
    const file = await fileOf('signals', '2026-03-01')
    // Killed after the file was stored, before its row was added.
    await service.mintick.store.exportFiles.remove(String(file.id))
    // Killed while another one was written.
    writeFileSync(join(folder, `${randomUUID()}.part`), 'PAR1')
    await service.mintick.dailyFiles?.run()
    assert.deepEqual(stored(), before)
    const again = await fileOf('signals', '2026-03-01')
    assert.deepEqual([again.id, again.sha256], [file.id, file.sha256])
    // Another instance has added it meanwhile.
    const { store, clock } = service.mintick
    const known = (await store.exportFiles.find(String(file.id))) ?? assert.fail()
    await store.exportFiles.add({ ...known, createdAt: clock.now() + 1 })
    assert.deepEqual(await store.exportFiles.find(known.id), known)
  })

  test('without credits the answer is 402; without the plan, or SEC data, 403; an unknown file is 404', async () => {
    const file = await fileOf('insider-trades', '2026-02-27')
    const poor = await service.open('professional', 1)
    assertError(await service.api(`/export/files/${file.id}`, poor.key), 402, 'INSUFFICIENT_CREDITS')
    assert.equal(await service.balance(poor.id), 1)
    const starter = await service.open('starter', 100)
    assertError(await service.api(`/export/files/${file.id}`, starter.key), 403, 'FORBIDDEN')
    const account = await service.open('professional', 100)
    const body = { overrides: { secData: false } }
    await service.admin(`/accounts/${account.id}`, { method: 'PATCH', body })
    assertError(await service.api(`/export/files/${file.id}`, account.key), 403, 'FORBIDDEN')
    assertError(await service.api('/export/files/nope', account.key), 404, 'NOT_FOUND')
    assertError(await service.api('/export/files?dataset=nope', account.key), 400, 'BAD_REQUEST')
  })

  test('a file stays until records of its day change; then another one supersedes it', async () => {
    const old = await fileOf('entries', '2026-02-28')
    await service.mintick.dailyFiles?.run()
    assert.equal((await fileOf('entries', '2026-02-28')).id, old.id)
    const rows = [{ url: 'https://late.example/1', title: 'Late', publishedAt: '2026-02-28T12:00:00Z' }]
    await service.admin('/import/entries', { method: 'POST', body: { rows } })
    await service.mintick.dailyFiles?.run()
    const current = await fileOf('entries', '2026-02-28')
    assert.equal(current.supersedes, old.id)
    assert.equal(current.rows, Number(old.rows) + 1)
    const all = await list('&dataset=entries&includeSuperseded=true')
    assert.equal(all.find(({ id }) => id === old.id)?.supersededBy, current.id)
    const bytes = await bytesOf(await fetchFile(old.id, key))
    assert.equal(createHash('sha256').update(bytes).digest('hex'), old.sha256)
    // Records may come back to what they were: that is another file.
    const { data } = await service.get('/entries?search=Late&publishedAfter=2026-02-28', key)
    await service.admin(`/entries/${data[0].id}`, { method: 'DELETE' })
    await service.mintick.dailyFiles?.run()
    const back = await fileOf('entries', '2026-02-28')
    assert.deepEqual([back.supersedes, back.rows, back.sha256], [current.id, old.rows, old.sha256])
    assert.notEqual(back.id, old.id)
  })

  test('a new day has its file an hour after its end, and old days are removed with theirs', async () => {
    const folder = join(service.place.env.DATA_DIR ?? '', 'exports')
    const stored = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.parquet'))
    const total = async () => (await service.get('/export/files?includeSuperseded=true', key)).meta.totalCount
    assert.equal(stored().length, await total())
    const wait = Date.parse('2026-03-03T01:00:00Z') - service.clock.now()
    service.clock.advance(wait - 1)
    await service.mintick.dailyFiles?.run()
    assert.equal((await list('&dayAfter=2026-03-02')).length, 0)
    service.clock.advance(1)
    await service.mintick.dailyFiles?.run()
    assert.ok((await list('&dayAfter=2026-03-02')).length > 0)
    assert.equal((await list('&dayBefore=2026-02-27&includeSuperseded=true')).length, 0)
    assert.equal(stored().length, await total())
    service.clock.advance(10 * DAY + HOUR)
    await service.mintick.dailyFiles?.run()
    assert.equal(await total(), 0)
    assert.deepEqual(stored(), [])
  })

  test('afterwards the ledger adds up', async () => {
    await service.mintick.admission.requestWriter.drain()
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })
})

/** A bucket that checks signatures by the description of Signature Version 4. */
function bucketServer(secret: string) {
  const objects = new Map<string, Buffer>()
  const refused: string[] = []
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method = '', url = '', headers } = request
    const given =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
    const [, id, day = '', region = '', names = '', signature] = given.exec(headers.authorization ?? '') ?? []
    const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
    const canonical = `${method}\n${url}\n\n${signed.join('')}\n${names}\n${headers['x-amz-content-sha256']}`
    const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${day}/${region}/s3/aws4_request\n${hash(canonical)}`
    const sign = (signing: string | Buffer, data: string) => createHmac('sha256', signing).update(data).digest()
    const signing = sign(sign(sign(sign(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
    const isSigned = signature === sign(signing, text).toString('hex') && names.split(';').includes('host')
    const isWhole =
      headers['x-amz-content-sha256'] === hash(body) && (method !== 'PUT' || headers['content-length'] !== undefined)
    if (id !== 'AKID' || region !== 'eu-test-1' || !isSigned || !isWhole) {
      refused.push(`${method} ${url}`)
      response.writeHead(403).end('SignatureDoesNotMatch')
      return
    }
    const known = objects.get(url)
    if (method === 'PUT') {
      objects.set(url, body)
      response.end()
    } else if (method === 'DELETE') {
      objects.delete(url)
      response.writeHead(204).end()
    } else if (known === undefined) {
      response.writeHead(404).end()
    } else {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
      response.writeHead(206).end(known.subarray(Number(first), Number(last) + 1))
    }
  })
  return { server, objects, refused }
}

onEveryEngine('daily export files in a bucket', (engine) => {
  if (engine !== 'sqlite') return
  const { server, objects, refused } = bucketServer('top/secret+key')
  const env: Record<string, string> = { SAMPLE_DATA: 'on', EXPORT_FILES_DAYS: '1' }
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const secret = encodeURIComponent('top/secret+key')
    env.EXPORT_S3_URL = `http://AKID:${secret}@127.0.0.1:${port}/market-data?region=eu-test-1`
  })
  const service = serviceForSuite(engine, env)
  after(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })

  test('files are uploaded, read in parts and removed, by signed requests', async () => {
    const url = await service.listen()
    const { key } = await service.openUnlimited()
    await service.mintick.dailyFiles?.run()
    assert.deepEqual(refused, [])
    assert.ok(objects.size > 0)
    const folder = join(service.place.env.DATA_DIR ?? '', 'exports')
    assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], [])
    const [file] = (await service.get('/export/files?dataset=entries', key)).data
    const stored = objects.get(`/market-data/entries/${file.day}/${file.id}.parquet`)
    assert.equal(
      createHash('sha256')
        .update(stored ?? '')
        .digest('hex'),
      file.sha256,
    )
    const headers = { authorization: `Bearer ${key}` }
    const whole = await (await fetch(`${url}/export/files/${file.id}`, { headers })).arrayBuffer()
    assert.deepEqual(Buffer.from(whole), stored)
    const part = await fetch(`${url}/export/files/${file.id}`, { headers: { ...headers, range: 'bytes=-8' } })
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), stored?.subarray(-8))
    service.clock.advance(3 * DAY)
    await service.mintick.dailyFiles?.run()
    assert.deepEqual(
      [...objects.keys()].filter((name) => name.includes(file.day)),
      [],
    )
    assert.deepEqual(refused, [])
  })
})
