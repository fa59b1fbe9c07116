/** Reindexing in the service: how many entries were read by older rules, and pausing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENRICHMENT_VERSION } from '../../src/enrich/version.ts'
import { LeaseTaken } from '../../src/store/leases.ts'
import { onEveryEngine, onPostgres, sampleForSuite } from '../harness.ts'

onEveryEngine('reindexing', (engine) => {
  const { service } = sampleForSuite(engine)
  const older = async () => (await service.call('/ready')).body.data.olderEntries
  const admin = async (method: 'GET' | 'POST', path: string) =>
    (await service.admin(path, method === 'GET' ? {} : { method, body: {} })).body.data

  test('a new store has no entries of older rules', async () => {
    assert.equal(await older(), 0)
    const { older: counted, entries, isRunning, isPaused } = await admin('GET', '/reindex')
    assert.deepEqual([counted, isRunning, isPaused], [0, false, false])
    assert.equal(entries, await service.mintick.store.entries.total())
  })

  test('a paused run leaves entries of older rules, and the next start continues it', async () => {
    const { store, ingest } = service.mintick
    const total = await store.entries.total()
    const { seq: high } = await store.entries.head()
    await store.progress.save(`older:${ENRICHMENT_VERSION}`, { low: 0, high })
    service.clock.advance(11_000)
    assert.equal(await older(), total)
    assert.equal((await admin('POST', '/reindex')).isRunning, true)
    while (ingest.reindex.state.done === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const paused = await admin('POST', '/reindex/pause')
    assert.deepEqual([paused.isRunning, paused.isPaused], [false, true])
    assert.ok(paused.done > 0 && paused.done < paused.total)
    assert.equal(paused.older, total - paused.done)
    // As if the rest had been done: a run over the whole sample takes too long.
    await store.progress.save(`older:${ENRICHMENT_VERSION}`, { low: high, high })
    service.clock.advance(11_000)
    assert.equal(await older(), 0)
    const again = await admin('POST', '/reindex')
    assert.deepEqual([again.isRunning, again.isPaused], [true, false])
    while (ingest.reindex.state.done < paused.done) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.ok((await admin('POST', '/reindex/pause')).done >= paused.done)
  })
})

onPostgres('reindexing on two instances', () => {
  const { service } = sampleForSuite('postgres')

  test('one instance reindexes at a time, and another continues its run', async () => {
    const twin = await service.twin()
    const [own, other] = [service.mintick.ingest.reindex, twin.mintick.ingest.reindex]
    try {
      own.start()
      while (own.state.done === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await assert.rejects(other.run(), LeaseTaken)
      await own.stop()
      const { done } = own.state
      other.start()
      while (other.state.done <= done) {
        assert.equal(other.state.error, null)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await other.stop()
    } finally {
      await twin.mintick.close()
    }
  })
})
