/** The sample data of a service that is killed while it loads them. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../../src/sample/world/random.ts'
import { createStore } from '../../src/store/store.ts'
import { runs } from '../depth.ts'
import { differences, dumpTables } from '../dump.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../harness.ts'
import { killHard, LAUNCHER, ready, spawnOwned } from '../spawn.ts'

const LONGEST_MS = 1_500

const NOT_THE_SAME = [
  // Accounts with random keys.
  ...['accounts', 'api_keys', 'lots', 'transfers', 'users', 'sign_in_links', 'store_facts'],
  // A resumed load writes some rows again, which changes versions and the order in a full-text index.
  ...['feeds', 'catalogue_changes', ...['data', 'docsize', 'idx'].map((part) => `clusters_search_${part}`)],
  // Times of the start.
  ...['migrations', 'count_windows'],
]

onEveryEngine('the first load', (engine) => {
  const places: Place[] = []
  after(async () => {
    for (const place of places) await place.remove()
  })

  const kills = engine === 'sqlite' ? runs(1, 6) : runs(0, 3)
  const options = { skip: kills === 0 && 'takes a minute; runs in the deep lane' }

  test('ends with the same rows if the service is killed in the middle of it', options, async () => {
    const random = createRandom('first load')
    const [killed, whole] = [await createPlace(engine), await createPlace(engine)]
    places.push(killed, whole)
    let interruptions = 0
    while (interruptions < kills && (await killWhileLoading(killed, random.between(0, LONGEST_MS)))) interruptions += 1
    assert.ok(interruptions > 0)
    await load(killed)
    await remember(whole, await sampleTime(killed))
    await load(whole)
    const [resumed, expected] = [await dumpTables(killed, NOT_THE_SAME), await dumpTables(whole, NOT_THE_SAME)]
    assert.deepEqual(differences(resumed, expected), {})
  })
})

const start = ({ env }: Place): ChildProcess =>
  spawnOwned(process.execPath, [LAUNCHER, 'serve'], {
    env: { ...process.env, ...env, SAMPLE_DATA: 'on' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Returns false if the load was over before. */
async function killWhileLoading(place: Place, afterMs: number): Promise<boolean> {
  const child = start(place)
  const { stdout } = child
  assert.ok(stdout)
  // The first line says that the load begins.
  const begun = once(stdout, 'data').then(() => delay(afterMs))
  const isLoading = await Promise.race([begun.then(() => true), ready(child).then(() => false)])
  await killHard(child)
  return isLoading
}

async function load(place: Place): Promise<void> {
  const child = start(place)
  await ready(child)
  await killHard(child)
}

const SAMPLE_TIME = 'sample-now'

async function sampleTime(place: Place): Promise<string> {
  const db = await openPlace(place)
  const time = await createStore(db).metadata.find(SAMPLE_TIME)
  await db.close()
  assert.ok(time !== undefined)
  return time
}

async function remember(place: Place, time: string): Promise<void> {
  const db = await openPlace(place)
  await createStore(db).metadata.remember(SAMPLE_TIME, time)
  await db.close()
}
