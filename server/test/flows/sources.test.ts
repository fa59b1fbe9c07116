import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { createStore } from '../../src/store/store.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../harness.ts'
import { checkStored } from '../simulated-sources.ts'
import { type SourceReader, startReaders } from '../source-reader.ts'
import { START, VendorSimulator } from '../vendor-simulator.ts'

const DAYS = runs(1, 7)
const FIRST = START + 6 * HOUR
const END = START + DAYS * DAY
const STEP = runs(120, 60) * MINUTE
const KILLS = runs(1, 15)
/** Requests between two kills, at most. */
const KILL_WITHIN = runs(150, 300)
const LATEST_MS = 40

onEveryEngine('simulated sources', (engine) => {
  const workers = engine === 'postgres' ? 2 : 1
  let now = FIRST
  const simulator = new VendorSimulator(
    () => Math.min(now, END),
    // Markets that end soon have to be seen once, and what failed has to be read again.
    () => (now > FIRST && now < END ? 0.1 : 0),
  )
  let place: Place
  let readers: SourceReader[] = []
  before(async () => {
    await simulator.listen()
    place = await createPlace(engine)
    await (await openPlace(place)).close()
  })
  after(async () => {
    await Promise.all(readers.map((reader) => reader.end()))
    await simulator.close()
    await place.remove()
  })

  test(`after ${DAYS} days and ${KILLS} kill -9 every item is stored once, in its last form`, async () => {
    readers = startReaders(place, simulator.settings(), workers)

    const random = dice(DAYS + KILLS)
    let kills = 0
    let killAt = random() * KILL_WITHIN
    simulator.onRequest = () => {
      if (simulator.requests < killAt || kills === KILLS) return
      kills += 1
      killAt = simulator.requests + random() * KILL_WITHIN
      const victim = readers[Math.floor(random() * workers)]
      setTimeout(() => victim?.kill(), random() * LATEST_MS)
    }

    // The longest pause of a failing source passes after the end.
    for (; now < END + 8 * HOUR; now += STEP) await Promise.all(readers.map((reader) => reader.readUntil(now)))
    await Promise.all(readers.map((reader) => reader.end()))
    assert.equal(kills, KILLS)
    const db = await openPlace(place)
    await checkStored(createStore(db), END)
    await db.close()
  })
})
