import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sampleWorld } from '../src/sources/sample/world.ts'
import type { BenchList } from './bench-list.ts'
import { candleLists } from './candle-lists.ts'
import { catalogues, clusterList } from './entry-lists.ts'
import { compare } from './pages.ts'
import { predictionMarketList, secLists, signalList } from './record-lists.ts'
import { filled, type Settings, serve, timed, withStore } from './service.ts'

/** The median time of every other list than that of entries, at a tenth of the size and at the whole. */
export async function lists(settings: Settings): Promise<void> {
  const now = Date.now()
  const world = sampleWorld(now)
  const all: BenchList[] = [
    ...secLists(world, now),
    signalList(world, now),
    predictionMarketList(world, now),
    candleLists(world, now),
    catalogues(),
    clusterList(world, now),
  ]
  for (const list of all) {
    if (settings.lists.length === 0 || settings.lists.includes(list.name)) await measure(settings, list)
  }
}

async function measure(settings: Settings, list: BenchList): Promise<void> {
  process.stdout.write(`\n  ${list.name}\n`)
  const places = [await build(settings, list, settings.small), await build(settings, list, settings.large)] as const
  const services = [await serve(places[0]), await serve(places[1])] as const
  for (const [name, ask] of Object.entries(list.questions)) await compare(name, services, async () => ask)
  for (const service of services) await service.stop()
  // Stores of a million rows are large, so one list after the other has the disk.
  if (settings.isFolderKept || list.isOfEntries) return
  for (const place of places) rmSync(place, { recursive: true })
}

async function build(settings: Settings, list: BenchList, count: number): Promise<string> {
  const place = list.isOfEntries ? await filled(settings, count) : join(settings.folder, `${list.name}-${count}`)
  return withStore(place, async (store, db) => {
    const fact = `bench-${list.name}`
    if ((await store.facts.find(fact)) !== undefined) return
    const [table, ...sideTables] = list.tables
    const fill = () => list.fill({ store, db, count })
    await timed(count, list.name, () =>
      table === undefined
        ? fill()
        : db.bulkLoad({ tables: [table, ...sideTables], searchTable: `${table}_search` }, fill),
    )
    await store.facts.remember(fact, 'filled')
  })
}
