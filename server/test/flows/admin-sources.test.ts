import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { HOUR, MINUTE } from '../../src/model/time.ts'
import { assertError, assertOk } from '../envelope.ts'
import { FakeClock, onEveryEngine, TestService } from '../harness.ts'
import { finished, spawnCommand } from '../spawn.ts'

const FEED = '<rss version="2.0"><channel><title>Desk</title><item><title>One</title></item></channel></rss>'
const page = (link: string) =>
  `<html><head><link rel="alternate" type="application/rss+xml" href="${link}"></head></html>`
const PAGES: Record<string, string> = {
  '/feed.xml': FEED,
  '/': page('/feed.xml'),
  '/misleading': page('/empty'),
  '/empty': '<html></html>',
}

onEveryEngine("operator's sources", (engine) => {
  const service = new TestService(new FakeClock())
  const folder = mkdtempSync(join(tmpdir(), 'admin-sources-'))
  const server = createServer(({ url = '' }, response) => {
    const body = PAGES[url]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  let site: string
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const SOURCES = join(folder, 'sources.yaml')
    writeFileSync(SOURCES, `allowHosts: [127.0.0.1]\nsources:\n  - { kind: feed, url: "${site}/file.xml" }\n`)
    await service.start(engine, { SOURCES, SOURCES_RUN: 'off' })
  })
  after(async () => {
    await service.stop()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })

  const add = (body: object) => {
    service.clock.advance(MINUTE) // so that no request waits for the one before
    return service.admin('/sources', { method: 'POST', body })
  }
  const act = (id: string, action: string) => service.admin(`/sources/${id}/${action}`, { method: 'POST' })

  test('a feed is added by its address and by that of a page that links to it, once', async () => {
    for (const path of ['/feed.xml', '/']) {
      const reply = await add({ url: site + path })
      assertOk(reply)
      assert.equal(reply.body.data.found.url, `${site}/feed.xml`)
      assert.equal(reply.body.data.sources[0].from, 'command')
    }
    assert.equal((await service.admin('/sources')).body.data.length, 2)
  })

  test('addresses that cannot be read and options that are wrong answer 400', async () => {
    const urls = [
      '',
      'ftp://a.example',
      'http://',
      'http://10.0.0.1/',
      `${site}/none`,
      `${site}/empty`,
      `${site}/misleading`,
    ]
    for (const body of [...urls.map((url) => ({ url })), {}, { kind: 'none' }, { kind: 'feed', url: 'http://[' }]) {
      assertError(await add(body), 400, 'BAD_REQUEST')
    }
  })

  test('the kinds of sources come with schemas that describe every option, and presets are added as a whole', async () => {
    const { kinds, presets } = (await service.admin('/source-kinds')).body.data
    assert.ok(kinds.length >= 9)
    for (const { kind, options } of kinds) {
      for (const [name, option] of Object.entries<{ description?: string }>(options.properties)) {
        assert.ok(option.description, `${kind}.${name}`)
      }
    }
    assert.deepEqual(presets, ['crypto', 'filings', 'news', 'odds', 'starter'])
    const added = await add({ preset: 'odds' })
    assertOk(added)
    assert.deepEqual(
      added.body.data.sources.map(({ kind, from }: { kind: string; from: string }) => [kind, from]),
      [
        ['polymarket', 'command'],
        ['kalshi', 'command'],
        ['manifold', 'command'],
      ],
    )
    for (const preset of ['none', '', '../sources', join(folder, 'sources.yaml'), 'dead-feeds']) {
      assertError(await add({ preset }), 400, 'BAD_REQUEST')
    }
    // The SEC wants an email address, which no setting has.
    assert.match((await add({ preset: 'filings' })).body.error.message, /EDGAR_CONTACT/)
  })

  test('a source is paused, resumed, read now and removed', async () => {
    const added = await add({ kind: 'kraken', pairs: ['BTC/USD'] })
    assertOk(added)
    const { id } = added.body.data.sources[0]
    const paused = (await act(id, 'pause')).body.data
    assert.deepEqual([paused.status, paused.nextRunAt], ['paused', null])
    assert.equal((await act(id, 'resume')).body.data.status, 'active')
    assert.equal(Date.parse((await act(id, 'run')).body.data.nextRunAt), service.clock.now())
    assertOk(await service.admin(`/sources/${id}`, { method: 'DELETE' }))
    assertError(await service.admin(`/sources/${id}`), 404, 'NOT_FOUND')
  })

  test('the command reads all sources at once, and shows the same problem of several ones once', async () => {
    const { port } = new URL(await service.mintick.app.listen({ port: 0, host: '127.0.0.1' }))
    const env = { PORT: port, ADMIN_TOKEN: service.mintick.adminToken }
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await finished(spawnCommand(env, 'sources', ...args))
      assert.deepEqual([code, stderr], [0, ''])
      return stdout
    }
    const { sources } = service.mintick.store
    const at = service.clock.now()
    for (const host of ['a.example', 'b.example', 'c-d.example:8080', 'e.example']) {
      const key = `http://${host}/feed.xml`
      await sources.add({ key, kind: 'feed', options: { url: key } }, at)
      const error =
        host === 'e.example' ? `${host} answered 404` : `the name ${host} has no address; check the spelling`
      const end = { at, nextRunAt: at + HOUR, everyMs: HOUR, error }
      await sources.endRun(key, end, { verify: async () => {} })
    }
    const [, problems] = (await run('list')).split('\nProblems:\n')
    assert.equal(
      problems,
      '  3 sources, such as http://a.example/feed.xml: the name … has no address; check the spelling\n  http://e.example/feed.xml: e.example answered 404\n',
    )
    await sources.pause('http://e.example/feed.xml')
    const count = (await sources.list()).length
    assert.equal(await run('run', '--all'), `${count - 1} of ${count} sources are read now\n`)
    for (const { isPaused, nextRunAt } of await sources.list()) assert.equal(nextRunAt > at, isPaused)
  })

  test('a source of the file cannot be removed', async () => {
    const all: { id: string; from: string }[] = (await service.admin('/sources')).body.data
    const id = all.find(({ from }) => from !== 'command')?.id
    assertError(await service.admin(`/sources/${id}`, { method: 'DELETE' }), 400, 'BAD_REQUEST')
    assertOk(await service.admin(`/sources/${id}`))
  })
})
