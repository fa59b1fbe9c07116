import { join } from 'node:path'
import { type SampleWorld, sampleWorld } from '../src/sample/world/world.ts'
import type { BenchList } from './bench-list.ts'
import { candleLists } from './candle-lists.ts'
import { catalogues, clusterList } from './entry-lists.ts'
import { print } from './figures.ts'
import { compare, comparePast } from './pages.ts'
import { removeStore } from './places.ts'
import { predictionMarketList, signalList } from './record-lists.ts'
import { secLists } from './sec-lists.ts'
import { filled, type Settings, serve, timed, withStore } from './service.ts'

/** Few enough that the small store has a week of minutes of each. */
const MARKETS_WITH_MINUTES = 10
const MAX_GROWTH = 1.5

/** Measures median times of all lists other than entries, with the small and the large store. */
export async function benchLists(settings: Settings): Promise<void> {
  const now = Date.now()
  const world = sampleWorld(now)
  const all: BenchList[] = [
    ...secLists(world, now),
    signalList(world, now),
    predictionMarketList(world, now),
    candleLists(world, now, MARKETS_WITH_MINUTES),
    catalogues(),
    clusterList(world, now),
  ]
  for (const list of all) {
    if (settings.lists.length > 0 && !settings.lists.includes(list.name)) continue
    await measureList(settings, list, { ...settings, maxGrowth: MAX_GROWTH }, world, now)
  }
}

/** Measures the queries of a list with two sizes of its store. */
export async function measureList(
  settings: Settings,
  list: BenchList,
  { small, large, maxGrowth }: { small: number; large: number; maxGrowth: number },
  world: SampleWorld,
  now: number,
): Promise<void> {
  print(`${list.name}, ${small} and ${large}`, '')
  const build = (count: number) => buildStore(settings, list, count, world, now)
  const places = [await build(small), await build(large)] as const
  const services = [await serve(places[0]), await serve(places[1])] as const
  for (const [name, query] of Object.entries(list.queries))
    await compare(`${list.name}: ${name}`, services, maxGrowth, async () => query)
  for (const [name, query] of list.hasPast ? Object.entries(list.queries) : []) {
    if (typeof query === 'string') await comparePast(`${list.name}: ${name}, asOf`, services[1], query, now)
  }
  for (const service of services) await service.stop()
  // Stores of a million rows are large, so each is deleted before the next is built.
  if (settings.isFolderKept || list.isOfEntries) return
  for (const place of places) await removeStore(place)
}

async function buildStore(
  settings: Settings,
  list: BenchList,
  count: number,
  world: SampleWorld,
  now: number,
): Promise<string> {
  const place = list.isOfEntries ? await filled(settings, count) : join(settings.folder, `${list.name}-${count}`)
  const { rows } = list
  if (rows === undefined) return place
  return withStore(place, async (store, db) => {
    const fact = `bench-${list.name}`
    if ((await store.metadata.find(fact)) !== undefined) return
    await store.assets.insert(world.assets, now)
    await store.topics.insert(world.topics, now)
    const [table = ''] = rows.tables
    const load = { tables: rows.tables, searchTable: `${table}_search` }
    const rowCount = Math.floor(count * (rows.perEntry ?? 1))
    const fill = () => rows.fill({ store, db, count: rowCount })
    await timed(rowCount, list.name, () => (table === '' ? fill() : db.bulkLoad(load, fill)))
    await store.metadata.remember(fact, 'filled')
  })
}
