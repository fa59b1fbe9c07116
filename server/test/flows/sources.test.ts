import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '../../src/model/time.ts'
import { createStore } from '../../src/store/store.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../harness.ts'
import { checkStored } from '../simulated-sources.ts'
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
  let readers: Reader[] = []
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
    const { DATA_DIR = '', DATABASE_URL } = place.env
    const file = join(DATA_DIR, 'sources.json')
    writeFileSync(file, JSON.stringify(simulator.settings()))
    const args = [file, DATA_DIR, ...(DATABASE_URL === undefined ? [] : [DATABASE_URL])]
    readers = Array.from({ length: workers }, () => new Reader(args))

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

/** A process that reads sources, and is started again when it is killed. */
class Reader {
  readonly #args: string[]
  #child: ChildProcess | undefined
  #exit: Promise<undefined> = Promise.resolve(undefined)

  constructor(args: string[]) {
    this.#args = args
  }

  async readUntil(time: number): Promise<void> {
    for (;;) {
      const child = this.#child ?? (await this.#start())
      const answer = once(child, 'message')
      child.send(time, () => {}) // it may have been killed
      const [errors] = (await Promise.race([answer, this.#exit])) ?? []
      if (errors === undefined) continue
      assert.deepEqual(errors, [])
      return
    }
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, '../source-worker.ts'), this.#args, { execArgv: [] })
    this.#child = child
    this.#exit = once(child, 'exit').then(([code]) => {
      assert.equal(code, null, 'it ended by itself')
      this.#child = undefined
      return undefined
    })
    await Promise.race([once(child, 'message'), this.#exit])
    return child
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async end(): Promise<void> {
    this.kill()
    await this.#exit
  }
}
