/** ROLE: instances that serve, and instances that work. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY } from '../../src/model/time.ts'
import { assertOk } from '../envelope.ts'
import { onPostgres, TestService } from '../harness.ts'

onPostgres('roles', () => {
  test('a worker answers only /health, /ready and /metrics', async () => {
    const worker = await TestService.start('postgres', { ROLE: 'worker' })
    try {
      const { key } = await worker.open()
      for (const path of ['/health', '/ready', '/api/v1/health']) {
        const { status } = await worker.call(path)
        assert.equal(status, path.startsWith('/api') ? 401 : 200, path)
      }
      const metrics = await worker.call('/metrics', {
        headers: { authorization: `Bearer ${worker.mintick.adminToken}` },
      })
      assert.equal(metrics.status, 200)
      assert.equal((await worker.api('/entries', key)).status, 404)
      assert.equal((await worker.admin('/accounts')).status, 404)
      assert.equal((await worker.mintick.store.streams.instances.list()).length, 0)
    } finally {
      await worker.stop()
    }
  })

  test('an api instance leaves the sources of the workers alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roles-'))
    const SOURCES = join(folder, 'sources.yaml')
    writeFileSync(SOURCES, 'sources:\n  - { kind: feed, url: "https://news.example/feed.xml" }\n')
    const worker = await TestService.start('postgres', { ROLE: 'worker', SOURCES, SOURCES_RUN: 'off' })
    let api: TestService | undefined
    try {
      api = await worker.twin({ ROLE: 'api', SOURCES: '', SOURCES_RUN: 'on' })
      assert.equal((await worker.mintick.store.sources.list()).length, 1)
    } finally {
      await api?.mintick.close()
      await worker.stop()
      rmSync(folder, { recursive: true })
    }
  })

  test('an api instance serves and leaves grants and indexing to a worker', async () => {
    const api = await TestService.start('postgres', { ROLE: 'api' })
    const { id, key } = await api.open('starter')
    let worker: TestService | undefined
    try {
      const rows = [{ url: 'https://news.example/1', title: 'Apple shares rise after strong results' }]
      assertOk(await api.admin('/import/entries', { method: 'POST', body: { rows } }))
      assertOk(await api.api('/entries', key))
      const before = await api.balance(id)
      api.clock.advance(40 * DAY)
      await delay(1_200)
      assert.equal(await api.balance(id), before)
      const left = () => api.mintick.ingest.indexing.left()
      assert.ok((await left()) > 0)
      worker = await api.twin({ ROLE: 'worker' })
      for (let wait = 0; (await left()) > 0 && wait < 500; wait += 1) await delay(20)
      assert.equal(await left(), 0)
      let announced = 0
      api.mintick.bus.subscribe('changes', () => {
        announced += 1
      })
      await worker.mintick.ingest.intake.take([{ url: 'https://news.example/2', title: 'Tesla opens a plant' }])
      for (let wait = 0; announced === 0 && wait < 500; wait += 1) await delay(10)
      assert.ok(announced > 0, 'the streams of the api instance do not hear of entries that the worker adds')
      for (let wait = 0; (await api.balance(id)) === before && wait < 700; wait += 1) await delay(20)
      assert.notEqual(await api.balance(id), before)
    } finally {
      await worker?.mintick.close()
      await api.stop()
    }
  })
})
