import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import { onPostgres, openPlace, openTestDb, originalOf } from '../../test/harness.ts'
import { addEntries, embedAll, someVector, testVectorIndex } from '../../test/vector-index-contract.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { createIngest } from '../drivers.ts'
import { samplePublishers } from '../sample/world/publishers.ts'
import type { Db } from '../store/db.ts'
import { openPostgres } from '../store/engines/postgres.ts'
import { createStore, type Store } from '../store/store.ts'
import { PgvectorHolder } from './pgvector-index.ts'
import { VectorIndex, vectorTask } from './vector-index.ts'

const MODEL = 'one'

/** Declares a store for the tests of a suite, and a reason to skip them if the server has no pgvector. */
function storeWithPgvector() {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let db: Db
  let store: Store
  let reason: string | undefined
  before(async () => {
    opened = await openTestDb('postgres')
    const [extension] = await opened.db.query(`select 1 from pg_available_extensions where name = 'vector'`)
    if (extension === undefined) reason = 'PostgreSQL has no extension pgvector'
    // Otherwise PostgreSQL would scan few rows without the index. Only new connections have the setting.
    await opened.db.transaction((tx) => tx.query(`alter database ${originalOf(opened.place)} set enable_seqscan = off`))
    db = await openPlace(opened.place)
    store = createStore(db)
  })
  after(async () => {
    await db.close()
    await opened.close()
  })
  return { place: () => opened.place, db: () => db, store: () => store, skip: () => reason }
}

async function openIndex(store: Store, model: string): Promise<VectorIndex> {
  assert.deepEqual(await store.pgvector.prepare(), { isReady: true })
  const holder = await PgvectorHolder.open(store, model)
  return new VectorIndex(store, model, () => holder)
}

onPostgres('vector index in pgvector', () => {
  const { store, skip } = storeWithPgvector()
  testVectorIndex({ store, skip, open: (model) => openIndex(store(), model) })
})

onPostgres('pgvector', () => {
  const { place, db, store, skip } = storeWithPgvector()
  before(() => store().publishers.insert(samplePublishers, 0))

  /** Declares a test that is skipped without the extension. */
  const withPgvector = (name: string, run: () => Promise<void>) =>
    test(name, async (context: TestContext) => {
      const reason = skip()
      return reason === undefined ? run() : context.skip(reason)
    })

  withPgvector('is not used, for a reason that says what to do, by a role that must not create it', async () => {
    const url = new URL(place().env.DATABASE_URL ?? '')
    await db().transaction(async (tx) => {
      await tx.query('drop extension if exists vector cascade')
      await tx.query('drop role if exists mintick_guest')
      await tx.query('create role mintick_guest login')
      await tx.query('grant all on all tables in schema public to mintick_guest')
    })
    url.username = 'mintick_guest'
    const guest = await openPostgres(url.href)
    const warnings: string[] = []
    const ingest = await createIngest(readConfig({ ...place().env, EMBEDDINGS: 'on' }), {
      store: createStore(guest),
      clock: systemClock,
      onWarning: (message) => warnings.push(message),
    })
    await ingest.stop()
    await guest.close()
    await db().transaction(async (tx) => {
      await tx.query('drop owned by mintick_guest')
      await tx.query('drop role mintick_guest')
    })
    assert.equal(warnings.length, 1)
    assert.match(
      warnings[0] ?? '',
      /pgvector is not used.*permission denied.*; run "create extension vector" in this database as a superuser/,
    )
  })

  withPgvector('is filled once by instances that follow at the same time, and all of them search it', async () => {
    const others = await Promise.all([openPlace(place()), openPlace(place())])
    const indexes = await Promise.all(
      [store(), ...others.map(createStore)].map((instance) => openIndex(instance, MODEL)),
    )
    const follow = () => Promise.all(indexes.map((index) => index.follow()))
    const ids: string[] = []
    for (let round = 0; round < 5; round += 1) {
      const added = addEntries(store(), 40, round)
      await follow()
      ids.push(...(await added))
      const removed = ids.splice(10 * round, 7)
      await Promise.all([store().entries.remove(removed, 0), follow()])
      await store().entries.update([{ id: ids[round] ?? '', title: `title ${round}` }], 0)
      await Promise.all([embedAll(store(), MODEL, 8), follow()])
    }
    await follow()
    // An instance that found another one at work knows its result from the next look on.
    await follow()
    const { seq: to } = await store().entries.head()
    const vectors = await store().vectors.list(MODEL, { from: 0, to, limit: 10_000, order: 'asc' })
    for (const index of indexes) {
      assert.deepEqual(index.done, indexes[0]?.done)
      for (const { seq, vector } of vectors.slice(-20)) {
        const { seqs, similarities } = await index.nearest(vector, 1)
        assert.deepEqual(seqs, [seq])
        assert.ok((similarities[0] ?? 0) > 0.999)
      }
    }
    assert.deepEqual(
      await indexedSeqs(MODEL),
      vectors.map(({ seq }) => seq),
    )
    for (const other of others) await other.close()
  })

  withPgvector('has an HNSW index', async () => {
    const indexes = await db().query<{ indexdef: string }>(
      `select indexdef from pg_indexes where indexdef ilike '%using hnsw (vector halfvec_cosine_ops)%'`,
    )
    assert.ok(indexes.length > 0)
  })

  withPgvector('compares vectors of zeros as unlike any other', async () => {
    const none = new Float32Array(8)
    const [id = assert.fail()] = await addEntries(store(), 1)
    const [source = assert.fail()] = await store().entries.listSourcesBy('id', [id], 0)
    await store().vectors.upsert(MODEL, [{ ...source, vector: none }])
    await embedAll(store(), MODEL, 8)
    const index = await openIndex(store(), MODEL)
    await index.follow()
    assert.ok((await indexedSeqs(MODEL)).includes(source.seq))
    assert.ok((await index.nearest(none, 1_000)).similarities.every((similarity) => similarity === 0))
    assert.ok((await index.nearest(someVector(8), 1_000)).similarities.every(Number.isFinite))
  })

  withPgvector('is filled again after its table was lost', async () => {
    const before = await indexedSeqs(MODEL)
    await db().transaction((tx) => tx.query(`drop table ${tableName(MODEL)}`))
    const index = await openIndex(store(), MODEL)
    await index.follow()
    assert.deepEqual(await indexedSeqs(MODEL), before)
  })

  withPgvector('of another model has vectors of another length and replaces the old one', async () => {
    const old = await openIndex(store(), MODEL)
    await old.follow()
    await store().progress.removeAll(vectorTask(''))
    const vectors = await embedAll(store(), 'two', 1_536)
    const index = await openIndex(store(), 'two')
    await index.follow()
    const [[seq, vector] = assert.fail()] = vectors
    assert.deepEqual((await index.nearest(vector, 1)).seqs, [seq])
    assert.deepEqual(await store().pgvector.listModels(), ['two'])
    assert.deepEqual(await db().query(`select to_regclass('${tableName(MODEL)}') as found`), [{ found: null }])
    assert.deepEqual((await old.nearest(vector, 1)).seqs, [])
  })

  withPgvector('takes vectors that are too long for an HNSW index', async () => {
    await store().progress.removeAll(vectorTask(''))
    const vectors = await embedAll(store(), 'long', 4_096)
    const index = await openIndex(store(), 'long')
    await index.follow()
    const [[seq, vector] = assert.fail()] = vectors
    assert.deepEqual((await index.nearest(vector, 1)).seqs, [seq])
  })

  withPgvector('is written under its lease only', async () => {
    const holder = await PgvectorHolder.open(store(), MODEL)
    await assert.rejects(holder.ask({ kind: 'remove', seqs: [1] }), /lease/)
    await store().leases.run(`pgvector:${MODEL}`, async () => {
      const other = await PgvectorHolder.open(createStore(db()), MODEL)
      await other.alone(() => assert.fail('two instances write'))
    })
  })

  const tableName = (model: string) => `vector_index_${createHash('sha256').update(model).digest('hex').slice(0, 16)}`

  async function indexedSeqs(model: string): Promise<number[]> {
    const rows = await db().query<{ seq: number }>(`select seq from ${tableName(model)} order by seq`)
    return rows.map(({ seq }) => seq)
  }
})
