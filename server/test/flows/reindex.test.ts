/** Reindexing in the service: how many entries were read by older rules, and pausing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENRICHMENT_VERSION } from '../../src/enrich/version.ts'
import { LeaseTaken } from '../../src/store/leases.ts'
import { some } from '../depth.ts'
import { onEveryEngine, onPostgres, sampleForSuite } from '../harness.ts'

const OLDER = `older:${ENRICHMENT_VERSION}`

onEveryEngine('reindexing', (engine) => {
  const { service } = sampleForSuite(engine)
  service.isAlone = true
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
    const { store } = service.mintick
    const total = await store.entries.total()
    const { seq: high } = await store.entries.head()
    await store.progress.save(OLDER, { low: 0, high })
    service.clock.advance(11_000)
    assert.equal(await older(), total)
    assert.equal((await admin('POST', '/reindex')).isRunning, true)
    await until(async () => (await admin('GET', '/reindex')).done > 0)
    const paused = await admin('POST', '/reindex/pause')
    assert.deepEqual([paused.isRunning, paused.isPaused, paused.error], [false, true, null])
    assert.ok(paused.done > 0 && paused.done < paused.total)
    assert.equal(paused.older, total - paused.done)
    assert.deepEqual(await admin('GET', '/reindex'), paused)
    // As if the rest had been done: a run over the whole sample takes too long.
    await store.progress.save(OLDER, { low: high, high })
    service.clock.advance(11_000)
    assert.equal(await older(), 0)
    const again = await admin('POST', '/reindex')
    assert.deepEqual([again.isRunning, again.isPaused], [true, false])
    assert.ok(again.done >= paused.done)
    await until(async () => (await admin('GET', '/reindex')).done > paused.done)
    assert.ok((await admin('POST', '/reindex/pause')).done > paused.done)
    await admin('POST', '/reindex/pause')
    assert.equal((await admin('GET', '/reindex')).isPaused, true)
  })

  test('a run that dies at any write is completed by the next run', async (context) => {
    const { store, ingest } = service.mintick
    const { seq: high } = await store.entries.head()
    const [paused] = await store.progress.list('reindex:')
    const save = store.progress.save
    // The rest takes two steps, each of which writes twice, after one write at the begin and before two at the end.
    for (const fatal of some([1, 2, 3, 4, 5, 6, 7], 3)) {
      await save(paused?.task ?? '', { low: 0, high: high - 60 })
      await save(OLDER, { low: high - 60, high })
      let writes = 0
      const dying = (write: (...args: never[]) => Promise<unknown>) =>
        async function (this: unknown, ...args: never[]) {
          writes += 1
          if (writes >= fatal) throw new Error('killed')
          return write.apply(this, args)
        }
      const mocks = [
        context.mock.method(store.progress, 'save', dying(store.progress.save)),
        context.mock.method(store.progress, 'remove', dying(store.progress.remove)),
        context.mock.method(store.reindexRun, 'save', dying(store.reindexRun.save)),
        context.mock.method(store.reindexRun, 'end', dying(store.reindexRun.end)),
      ]
      await assert.rejects(ingest.reindex.run(), /killed/)
      for (const mock of mocks) mock.mock.restore()
      await ingest.reindex.run()
      const { older, isRunning, isPaused, done, total } = await ingest.reindex.status()
      assert.deepEqual([older, isRunning, isPaused, done], [0, false, false, total], `died at write ${fatal}`)
    }
  })

  test('the next start of the service continues a run, and one that fails says why', async (context) => {
    await admin('POST', '/reindex')
    await until(async () => (await admin('GET', '/reindex')).done > 0)
    await service.restart()
    const { isRunning, done } = await admin('GET', '/reindex')
    assert.ok(isRunning)
    await until(async () => (await admin('GET', '/reindex')).done > done)
    await admin('POST', '/reindex/pause')

    const { enrichment, reindex } = service.mintick.ingest
    const failing = context.mock.method(enrichment, 'read', async () => {
      throw new Error('no reader')
    })
    await assert.rejects(reindex.run(), /no reader/)
    failing.mock.restore()
    const failed = await admin('GET', '/reindex')
    assert.deepEqual([failed.isRunning, failed.isPaused, failed.error], [false, false, 'no reader'])
    assert.equal((await admin('POST', '/reindex')).error, null)
    await admin('POST', '/reindex/pause')
  })
})

onPostgres('reindexing on two instances', () => {
  const { service } = sampleForSuite('postgres')

  test('one reindexes at a time; each shows, pauses and continues the run', async () => {
    const own = service.mintick.ingest.reindex
    await own.start()
    await until(async () => (await own.status()).done > 0)
    const twin = await service.twin()
    const other = twin.mintick.ingest.reindex
    try {
      await assert.rejects(other.run(), LeaseTaken)
      assert.equal((await other.status()).isRunning, true)
      await other.pause()
      const { done, isPaused } = await own.status()
      assert.ok(isPaused)
      await other.start()
      await until(async () => (await own.status()).done > done)
      // As if the other had died: the run stays wanted.
      await other.stop()
      const left = (await own.status()).done
      await until(async () => (await own.status()).done > left)
      await own.pause()
    } finally {
      await twin.mintick.close()
    }
  })
})

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 5))
}
