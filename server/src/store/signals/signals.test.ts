import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb, storeForSuite } from '../../../test/harness.ts'
import { newSignal } from '../../../test/signals.ts'
import type { Position } from '../../model/paging.ts'
import type { NewSignal, Signal, SignalChange } from '../../model/signals.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import type { AsOf } from '../lists/past-query.ts'
import { createStore } from '../store.ts'
import type { SignalFilters } from './signal-records.ts'

const NOW = Date.parse('2026-03-02T10:20:30.400Z')
const found = (signal: NewSignal, ...supersedes: string[]): SignalChange => ({ type: 'new', signal, supersedes })
const updated = (signal: NewSignal): SignalChange => ({ type: 'update', signal })

onEveryEngine('applying signal changes', (engine) => {
  const store = storeForSuite(engine)
  before(() => store().assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], NOW))

  const apply = (changes: SignalChange[], now = NOW) => store().signals.apply(changes, [], now)
  const doc = async (id: string, now = NOW) => (await store().signals.find(id, now))?.parse()
  const logged = async (after: number) => {
    const { signalLog } = store()
    return signalLog.listAfter(after, await signalLog.head(), 1_000)
  }
  const idsByEntry = async (id: string) =>
    (await store().signals.listByEntry(id, NOW)).parse().map((signal) => signal.id)

  test('an empty log has the head 0, and its oldest event is the next one', async () => {
    assert.equal(await store().signalLog.head(), 0)
    assert.equal(await store().signalLog.oldest(), 1)
    assert.deepEqual(await logged(0), [])
  })

  test('a new signal is logged once, as the API returns it; applying it again changes nothing', async () => {
    const head = await store().signalLog.head()
    const signal = newSignal(NOW)
    assert.equal(await apply([found(signal)]), 1)
    assert.equal(await apply([found({ ...signal, title: 'other' })]), 0)
    const [event, ...others] = await logged(head)
    assert.deepEqual(others, [])
    assert.deepEqual(JSON.parse(event?.doc ?? ''), await doc(signal.id))
    const { kind, direction, assetKey, strength, confidence } = signal
    const facts = { id: head + 1, change: 'new', kind, direction, assetKey, strength, confidence }
    assert.deepEqual({ ...event, doc: undefined }, { ...facts, doc: undefined })
    const counted = await store().signalLog.listFactsAfter(head, head + 1, 10)
    assert.deepEqual(
      counted.map((row) => ({ ...row })),
      [facts],
    )
  })

  test('the signals of an entry are the same object until a signal changes or expires', async () => {
    const entryId = randomUUID()
    const signal = newSignal(NOW, { entryIds: [entryId] })
    await apply([found(signal)])
    const list = async (now = NOW) => {
      // Where others write too, a list is kept once its version was read.
      for (let call = 0; call < 2; call += 1) await store().signals.listByEntry(entryId, now)
      return store().signals.listByEntry(entryId, now)
    }
    const first = await list()
    assert.equal(await list(), first)
    await apply([updated({ ...signal, title: 'Okapi' })])
    assert.deepEqual((await list()).parse(), [await doc(signal.id)])
    const expiry = Date.parse((await doc(signal.id))?.expiresAt ?? '')
    assert.equal((await list(expiry)).parse()[0]?.status, 'expired')
  })

  test('an update replaces document, search words and evidence', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const signal = newSignal(NOW, { entryIds: [one], title: 'Zebra' })
    await apply([found(signal)])
    const createdAt = (await doc(signal.id))?.createdAt
    const head = await store().signalLog.head()
    const change = updated({ ...signal, strength: 0.9, entryIds: [other], title: 'Giraffe' })
    assert.equal(await apply([change], NOW + HOUR), 1)
    const after = await doc(signal.id)
    assert.deepEqual([after?.strength, after?.entryIds, after?.createdAt], [0.9, [other], createdAt])
    assert.deepEqual([await idsByEntry(one), await idsByEntry(other)], [[], [signal.id]])
    const search = async (text: string) =>
      (
        await store().signals.page(
          { filters: { search: text }, sort: 'generatedAt:desc', limit: 5, from: undefined },
          NOW,
        )
      ).totalCount
    assert.deepEqual([await search('zebra'), await search('giraffe')], [0, 1])
    assert.equal(await apply([change], NOW + HOUR), 0, 'the same again')
    assert.deepEqual(
      (await logged(head)).map(({ strength, change }) => [strength, change]),
      [[0.9, 'updated']],
    )
  })

  test('updatedAt is the time of the last change; outcomes and changes without a difference do not count', async () => {
    const [one, two, three] = [newSignal(NOW), newSignal(NOW), newSignal(NOW)]
    const at = (hours: number) => NOW + 1_000 * DAY + hours * HOUR
    await apply([found(one), found(two)], at(0))
    await apply([updated({ ...one, strength: 0.9 })], at(1))
    await apply([updated({ ...one, strength: 0.9 })], at(2))
    await apply([found(three, two.id)], at(3))
    const outcome = { evaluatedAt: isoTime(at(4)), returnPercent: 1, isHit: true }
    await store().signals.judge([{ type: 'settled', id: one.id, outcome }])
    const changedSince = async (updatedAfter: number) => {
      const request = { filters: { updatedAfter }, sort: 'updatedAt:asc', limit: 100, from: undefined }
      return (await store().signals.page(request, at(9))).data.parse().map(({ id, updatedAt }) => [id, updatedAt])
    }
    // Rows with the same time are in the order of arrival.
    const expected = [
      [one.id, isoTime(at(1))],
      [two.id, isoTime(at(3))],
      [three.id, isoTime(at(3))],
    ]
    assert.deepEqual(await changedSince(at(0)), expected)
    assert.deepEqual(await changedSince(at(3)), expected.slice(1))
    assert.deepEqual(await changedSince(at(3) + 1), [])
  })

  test('superseding an older signal is not logged', async () => {
    const [older, newer] = [newSignal(NOW), newSignal(NOW)]
    await apply([found(older)])
    assert.equal(await apply([found(newer, older.id)]), 1)
    assert.equal((await doc(older.id))?.status, 'superseded')
    assert.equal((await doc(newer.id))?.status, 'active')
    await apply([updated({ ...older, strength: 0.6 })])
    assert.equal((await doc(older.id))?.status, 'superseded', 'an update does not bring it back')
    const active = (await store().signals.listActiveAt(NOW)).map(({ id }) => id)
    assert.ok(active.includes(newer.id) && !active.includes(older.id))
    assert.deepEqual(await store().signals.listActiveAt(NOW + DAY), [])
  })

  test('a signal that is created and updated in one batch has two events in this order', async () => {
    const head = await store().signalLog.head()
    const signal = newSignal(NOW)
    assert.equal(await apply([found(signal), updated({ ...signal, strength: 0.8 })]), 2)
    assert.deepEqual(
      (await logged(head)).map(({ strength, change }) => [strength, change]),
      [
        [0.5, 'new'],
        [0.8, 'updated'],
      ],
    )
  })

  test('a failure leaves neither signals nor events nor progress', async () => {
    const head = await store().signalLog.head()
    const good = newSignal(NOW)
    const bad = newSignal(NOW, { assetKey: 'NONE' })
    const progress = [{ task: 'signals:test', low: 0, high: 7 }]
    await assert.rejects(
      store().signals.apply([found(good), found(bad)], progress, NOW),
      /does not have the asset NONE/,
    )
    assert.equal(await doc(good.id), undefined)
    assert.equal(await store().signalLog.head(), head)
    assert.equal(await store().progress.find('signals:test'), undefined)
    await store().signals.apply([found(good)], progress, NOW)
    assert.equal((await store().progress.find('signals:test'))?.high, 7)
  })

  test('inserted history is not logged', async () => {
    const head = await store().signalLog.head()
    assert.equal(await store().signals.insert([newSignal(NOW - DAY)], NOW), 1)
    assert.equal(await store().signalLog.head(), head)
  })

  test('ids of the log are consecutive whatever is removed', async () => {
    const step = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant('prune' as const))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { signalLog } = store()
        let expected = await signalLog.head()
        for (const next of steps) {
          if (next === 'prune') {
            await signalLog.prune(NOW + 2 * DAY)
            assert.deepEqual(await logged(0), [])
          } else {
            await apply(Array.from({ length: next }, () => found(newSignal(NOW))))
            const ids = (await logged(expected)).map(({ id }) => id)
            assert.deepEqual(
              ids,
              Array.from({ length: next }, (_, index) => expected + 1 + index),
            )
            expected += next
          }
          assert.equal(await signalLog.head(), expected)
        }
        const [first] = await logged(0)
        assert.equal(await signalLog.oldest(), first?.id ?? expected + 1)
      }),
      { numRuns: runs(3, 15) },
    )
  })

  test('pruning removes everything logged before an old event, whatever the clock said then', async () => {
    await store().signalLog.prune(NOW + 10 * DAY)
    const head = await store().signalLog.head()
    await apply([found(newSignal(NOW))], NOW + 300 * DAY)
    await apply([found(newSignal(NOW))], NOW + 2 * DAY)
    await apply([found(newSignal(NOW))], NOW + 4 * DAY)
    await store().signalLog.prune(NOW + 2 * DAY)
    assert.equal(await store().signalLog.oldest(), head + 1)
    await store().signalLog.prune(NOW + 2 * DAY + 1)
    assert.equal(await store().signalLog.oldest(), head + 3)
  })

  test('a long log is removed in portions', async () => {
    for (let round = 0; round < 3; round += 1) {
      await apply(
        Array.from({ length: 400 }, () => found(newSignal(NOW))),
        NOW + 5 * DAY,
      )
    }
    await store().signalLog.prune(NOW + 6 * DAY)
    assert.equal(await store().signalLog.oldest(), (await store().signalLog.head()) + 1)
  })
})

onEveryEngine('outcomes of signals', (engine) => {
  const store = storeForSuite(engine)
  before(() => store().assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], NOW))

  const hit = { evaluatedAt: isoTime(NOW), returnPercent: 2, isHit: true }
  const miss = { evaluatedAt: isoTime(NOW), returnPercent: -2, isHit: false }
  const counted = async (kind: NewSignal['kind']) => {
    const row = (await store().signals.listOutcomes()).find((one) => one.kind === kind)
    return [row?.evaluated, row?.hits]
  }
  const dueIds = async (now: number) => (await store().signals.listDue(now, 100)).map(({ id }) => id)

  test('a signal is due at its expiry, evaluated once and counted once', async () => {
    const signal = newSignal(NOW, { kind: 'material_event' })
    await store().signals.insert([signal], NOW)
    assert.deepEqual(await dueIds(NOW + DAY - 1), [])
    assert.deepEqual(await dueIds(NOW + DAY), [signal.id])
    await store().signals.judge([{ type: 'settled', id: signal.id, outcome: hit }])
    await store().signals.judge([{ type: 'settled', id: signal.id, outcome: miss }])
    assert.deepEqual((await store().signals.find(signal.id, NOW))?.parse().outcome, hit)
    assert.deepEqual(await counted('material_event'), [1, 1])
    assert.deepEqual(await dueIds(NOW + DAY), [])
    await store().signals.apply([{ type: 'update', signal: { ...signal, strength: 0.7 } }], [], NOW)
    assert.deepEqual((await store().signals.find(signal.id, NOW))?.parse().outcome, hit, 'an update keeps it')
    assert.deepEqual(await dueIds(NOW + DAY), [])
    assert.deepEqual(await counted('material_event'), [1, 1])
  })

  test('a postponed signal is due again later; a signal without a price is not', async () => {
    const signal = newSignal(NOW, { kind: 'activist_stake' })
    await store().signals.insert([signal], NOW)
    await store().signals.judge([{ type: 'waits', id: signal.id, dueAt: NOW + 2 * DAY }])
    assert.deepEqual(await dueIds(NOW + 2 * DAY - 1), [])
    assert.deepEqual(await dueIds(NOW + 2 * DAY), [signal.id])
    await store().signals.judge([{ type: 'settled', id: signal.id, outcome: null }])
    assert.deepEqual(await dueIds(NOW + 9 * DAY), [])
    assert.deepEqual(await counted('activist_stake'), [0, 0])
  })

  test('signals inserted with an outcome are counted once, on insert', async () => {
    const signals = [hit, hit, miss, null].map((outcome) =>
      newSignal(NOW - 2 * DAY, { kind: 'insider_large_sale', outcome }),
    )
    await store().signals.insert(signals, NOW)
    await store().signals.insert(signals, NOW)
    assert.deepEqual(await counted('insider_large_sale'), [3, 2])
    assert.deepEqual(await dueIds(NOW), [signals[3]?.id])
  })
})

onEveryEngine('signals of the past', (engine) => {
  const store = storeForSuite(engine)
  before(() =>
    store().assets.upsert(
      ['AAPL', 'MSFT'].map((key) => ({ key, name: key, type: 'equity' as const })),
      NOW,
    ),
  )

  const QUERIES: SignalFilters[] = [
    {},
    { assetKey: ['AAPL'] },
    { status: ['active'] },
    { status: ['expired', 'superseded'] },
    { status: ['superseded', 'active'], direction: ['bullish'] },
    { strengthMin: 0.5 },
    { kind: ['material_event'], generatedBefore: NOW + 3 * DAY },
    { generatedAfter: NOW + DAY, confidenceMin: 0.4 },
    { updatedAfter: NOW + 2 * DAY },
    { status: ['active'], updatedAfter: NOW + DAY },
    { search: 'apple' },
    { search: 'revised -apple' },
  ]

  const SORTS = ['generatedAt', 'strength', 'updatedAt'] as const

  /** Reads all pages of a list; the order of rows with equal keys does not count. */
  async function read(filters: SignalFilters & AsOf, sort: (typeof SORTS)[number], now: number): Promise<Signal[]> {
    const rows: Signal[] = []
    let from: Position | undefined
    for (;;) {
      const page = await store().signals.page({ filters, sort: `${sort}:desc`, limit: 3, from }, now)
      rows.push(...page.data.parse())
      if (page.last === null || !page.hasMore) {
        assert.equal(page.totalCount, rows.length)
        assert.ok(rows.every((row, place) => place === 0 || row[sort] <= (rows[place - 1]?.[sort] ?? '')))
        return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
      }
      from = { direction: 'after', key: page.last, inclusive: false }
    }
  }

  const step = fc.record({
    type: fc.constantFrom('new', 'update', 'supersede', 'judge', 'history'),
    hours: fc.integer({ min: 0, max: 30 }),
    which: fc.nat(),
    strength: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    assetKey: fc.constantFrom('AAPL', 'MSFT'),
    title: fc.constantFrom(
      'Apple: many entries',
      'Revised: fewer entries',
      '"status":"active" and "outcome":{ in a title',
    ),
  })

  test('asOf answers what the lists and records answered then', async () => {
    let start = NOW
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        let now = start
        const signals: NewSignal[] = []
        const seen: { at: number; lists: Signal[][]; records: Map<string, Signal | undefined> }[] = []
        for (const { type, hours, which, strength, assetKey, title } of steps) {
          const fields = { strength, assetKey, title, confidence: strength, kind: 'material_event' } as const
          const other = signals[which % Math.max(1, signals.length)]
          if (type === 'judge') {
            const outcome = { evaluatedAt: isoTime(now), returnPercent: 1, isHit: true }
            const due = await store().signals.listDue(now, 3)
            await store().signals.judge(due.map(({ id }) => ({ type: 'settled', id, outcome })))
          } else if (type === 'history') {
            // Two versions that became known at the same time as the others.
            const signal = newSignal(now, { ...fields, strength: 0.1 })
            await store().signals.insert([signal, { ...signal, strength, knownFrom: now }], now)
          } else if (type === 'update' && other !== undefined) {
            await apply([updated({ ...other, ...fields, assetKey: other.assetKey })], now)
          } else {
            const signal = newSignal(now, fields)
            signals.push(signal)
            await apply([found(signal, ...(type === 'supersede' && other ? [other.id] : []))], now)
          }
          const lists = await Promise.all(QUERIES.flatMap((filters) => SORTS.map((sort) => read(filters, sort, now))))
          const records = new Map<string, Signal | undefined>()
          for (const { id } of signals) records.set(id, (await store().signals.find(id, now))?.parse())
          seen.push({ at: now, lists, records })
          now += hours * HOUR + 1
        }
        for (const { at, lists, records } of seen) {
          const past = await Promise.all(
            QUERIES.flatMap((filters) => SORTS.map((sort) => read({ ...filters, asOf: at }, sort, now))),
          )
          assert.deepEqual(past, lists)
          for (const { id } of signals) {
            const record = (await store().signals.find(id, now, { asOf: at }))?.parse()
            assert.deepEqual(record, records.get(id))
          }
        }
        start = now + 400 * DAY
      }),
      { numRuns: runs(engine === 'sqlite' ? 4 : 2, 30) },
    )
  })

  const apply = (changes: SignalChange[], now: number) => store().signals.apply(changes, [], now)
})

onEveryEngine('signals from before they had updatedAt', (engine) => {
  test('the migration fills it, and tells new signals in the log from changed ones', async () => {
    const { db, close } = await openTestDb(engine)
    try {
      const store = createStore(db)
      await store.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], NOW)
      const [one, two] = [newSignal(NOW), newSignal(NOW - DAY)]
      await store.signals.apply([found(one)], [], NOW)
      await store.signals.apply([updated({ ...one, strength: 0.9 }), found(two)], [], NOW + HOUR)
      await store.signals.insert([newSignal(NOW - 9 * DAY)], NOW)
      const read = async () => {
        const by = createStore(db)
        const request = { sort: 'updatedAt:desc', limit: 100, from: undefined }
        const pages = await Promise.all([
          by.signals.page({ ...request, filters: {} }, NOW + HOUR),
          by.signals.page({ ...request, filters: { asOf: NOW } }, NOW + HOUR),
        ])
        return { pages: pages.map(({ data }) => data.parse()), events: await by.signalLog.listAfter(0, 10, 10) }
      }
      const before = await read()
      await undoUpdates(db)
      await migrate(db, NOW)
      assert.deepEqual(await read(), before)
    } finally {
      await close()
    }
  })
})

/** Takes the store back to before the migration. */
async function undoUpdates(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const index of ['signals_by_updated', 'signal_versions_by_updated']) await tx.query(`drop index ${index}`)
    for (const table of ['signals', 'signal_versions']) await tx.query(`alter table ${table} drop column updated_at`)
    await tx.query('alter table signal_events drop column change')
    await tx.query("delete from migrations where name like '032-%'")
    for (const [table, key] of Object.entries({
      signals_docs: 'seq',
      signal_versions_docs: 'seq',
      signal_events: 'id',
    })) {
      const rows = await tx.query<{ key: number; doc: string }>(`select ${key} as key, doc from ${table}`)
      for (const { key: place, doc } of rows) {
        const { updatedAt: _, ...signal } = JSON.parse(doc) as Signal
        await tx.query(`update ${table} set doc = $1 where ${key} = $2`, [JSON.stringify(signal), place])
      }
    }
  })
}
