import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Batch, batches } from '../../../test/candle-batches.ts'
import { CandleOracle } from '../../../test/candle-oracle.ts'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { insertMarket, risingCandles } from '../../../test/markets.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import { CANDLE_INTERVALS, CHART_RANGES, type NewCandle } from '../../model/markets.ts'
import { DAY, HOUR, MINUTE } from '../../model/time.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore, type Store } from '../store.ts'
import { CandleColumns } from './candle-columns.ts'
import { DAYS, HOURS, MINUTES, MONTHS } from './candle-intervals.ts'

const ALL = { sort: 'openedAt:asc', maxPoints: 5_000 }

onEveryEngine('blocks of candles', (engine) => {
  let db: Db
  let store: Store
  let close: () => Promise<void>
  before(async () => {
    const opened = await openTestDb(engine)
    ;({ db, close } = opened)
    store = createStore(db)
    await store.assets.insert(builtInAssets, 0)
  })
  after(() => close())

  const insertAll = async (id: string, given: readonly Batch[]) => {
    for (const { interval, candles } of given) {
      await store.candles.insert(id, interval, candles, 0)
      // On PostgreSQL, moves blocks into parts of their years.
      await store.partitions.prepare(candles[0]?.openedAt ?? 0)
    }
  }
  const seriesOf = async (id: string) => {
    const series = await store.markets.findSeries(id)
    assert.ok(series)
    return series
  }
  const answersOf = async (id: string, now: number): Promise<string[]> => {
    const series = await seriesOf(id)
    const lists = CANDLE_INTERVALS.map(
      async (interval) => (await store.candles.page(series, { interval, ...ALL }, now)).data,
    )
    const charts = CHART_RANGES.map((range) => store.candles.chartJson(series, range))
    const market = JSON.stringify(await store.markets.find(id))
    return [...(await Promise.all([...lists, ...charts])).map((json) => Buffer.concat(json.parts).toString()), market]
  }

  test('prices of any size are answered as JSON.stringify writes them', async () => {
    const price = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(1e21, 1e-7, 0.1 + 0.2, -0, 2 ** 53 + 2, 5e-324, Number.MAX_VALUE, -1.5),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(price, price), { minLength: 1, maxLength: 40 }), async (prices) => {
        const series = await insertMarket(store)
        const oracle = new CandleOracle(series)
        const candles = prices.map(([open, end], index): NewCandle => {
          const [low, high] = [Math.min(open, end), Math.max(open, end)]
          const [one, two, three] = [0.1 * index, null, index]
          return {
            openedAt: index * 7 * MINUTE,
            ...{ open, high, low, close: end, volume: one, quoteVolume: two, tradeCount: three },
          }
        })
        await store.candles.insert(series.id, '1m', candles, 0)
        oracle.insert('1m', candles)
        for (const interval of ['1m', '5m', '15m', '30m', '1h'] as const) {
          const { data } = await store.candles.page(await seriesOf(series.id), { interval, ...ALL }, DAY)
          assert.equal(Buffer.concat(data.parts).toString(), JSON.stringify(oracle.candles(interval, DAY)))
        }
      }),
      { numRuns: runs(10, 100) },
    )
  })

  test('an answer changes with every insert and when a candle closes', async () => {
    const { id } = await insertMarket(store)
    const minutes = risingCandles(0, MINUTE, 10)
    for (const [index, candle] of minutes.entries()) {
      await store.candles.insert(id, '1m', [candle], index * MINUTE)
      const series = await seriesOf(id)
      for (const now of [index * MINUTE, (index + 1) * MINUTE - 1, (index + 1) * MINUTE, 0]) {
        const range = { interval: '1m', ...ALL } as const
        const { data, meta } = await store.candles.page(series, range, now)
        assert.deepEqual(data.parse(), await store.candles.list(series, range, now))
        assert.equal(data.parse().length, index + 1)
        assert.equal(meta.count, index + 1)
      }
      const chart = (await store.candles.chartJson(series, '1d')).parse()
      assert.deepEqual(chart, await store.candles.chart(series, '1d'))
      assert.equal(chart.points.length, index + 1)
    }
  })

  test('candles that are far apart are found in many small blocks', async () => {
    const { id } = await insertMarket(store)
    const candles = Array.from({ length: 700 }, (_, index) => risingCandles(index * 50 * HOUR, MINUTE, 1)).flat()
    await store.candles.insert(id, '1m', candles, 0)
    const series = await seriesOf(id)
    const times = async (sort: string, openedAfter: number) => {
      const range = { interval: '5m', sort, openedAfter, maxPoints: 600 } as const
      return (await store.candles.list(series, range, 0)).map(({ openedAt }) => Date.parse(openedAt) / (50 * HOUR))
    }
    const numbers = Array.from({ length: 700 }, (_, index) => index)
    assert.deepEqual(await times('openedAt:asc', 50 * HOUR), numbers.slice(1, 601))
    assert.deepEqual(await times('openedAt:desc', 50 * HOUR), numbers.slice(100).reverse())
  })

  test('the migration moves the candles that the store already has', async () => {
    const now = Date.parse('2030-01-01')
    const ids: string[] = []
    const add = async (given: readonly Batch[]) => {
      const { id } = await insertMarket(store, { volumeDecimals: 0 })
      await insertAll(id, given)
      ids.push(id)
    }
    await add([])
    // More rows than are moved at once, and sums beyond the safe integers.
    await add([{ interval: '1m', candles: risingCandles(7 * MINUTE, MINUTE, 20_100) }])
    const days = risingCandles(0, DAY, 40).map((day) => ({ ...day, volume: Number.MAX_SAFE_INTEGER - 2 }))
    await add([{ interval: '1d', candles: days }])
    for (const given of fc.sample(batches, { numRuns: runs(5, 40), seed: 7 })) await add(given)
    const answers = async () => Promise.all(ids.map((id) => answersOf(id, now)))
    const expected = await answers()

    await undoBlocks(db)
    await migrate(db, 0)
    store = createStore(db)
    assert.deepEqual(await answers(), expected)
  })
})

/** Takes the store back to before the migration: a row for each candle, without quarters of an hour. */
async function undoBlocks(db: Db): Promise<void> {
  const blocks = await db.query<{ market_ref: number; level: number; candles: Uint8Array }>(
    'select market_ref, level, candles from candle_blocks',
  )
  await db.transaction(async (tx) => {
    await tx.query(`create table candles (
      market_ref integer not null, level integer not null, opened_at bigint not null, open double precision not null,
      high double precision not null, low double precision not null, close double precision not null,
      volume bigint not null, quote_volume bigint, trade_count bigint, is_rolled integer not null,
      primary key (market_ref, level, opened_at)
    )`)
    for (const { market_ref: ref, level, candles } of blocks) {
      const oldLevel = [MINUTES, HOURS, DAYS, MONTHS].indexOf(level)
      if (oldLevel === -1) continue
      const columns = CandleColumns.join([candles])
      const { openedAt, open, high, low, close, volume, quoteVolume, tradeCount, isRolled } = columns
      for (let place = 0; place < columns.length; place += 1) {
        const prices = [open, high, low, close].map((column) => column[place] ?? 0)
        const exact = [volume, quoteVolume, tradeCount].map(
          (column) => column.sum(place, place + 1)?.toString() ?? 'null',
        )
        await tx.query(`insert into candles values ($1, $2, $3, $4, $5, $6, $7, ${exact.join(', ')}, $8)`, [
          ref,
          oldLevel,
          openedAt[place] ?? 0,
          ...prices,
          isRolled[place] ?? 0,
        ])
      }
    }
    await tx.query('update markets set finest_level = finest_level - 1 where finest_level > 0')
    await tx.query('alter table markets drop column candles_version')
    await tx.query('drop table candle_blocks')
    await tx.query(`delete from migrations where name like '%-candle-blocks.%'`)
  })
}
