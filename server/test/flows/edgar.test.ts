import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR, isoDay, MINUTE, SECOND } from '../../src/model/time.ts'
import { createStore } from '../../src/store/store.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { TICKERS_EXCHANGE } from '../edgar-answers.ts'
import { EdgarSimulator, type SimulatedFiling } from '../edgar-simulator.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../harness.ts'
import { COMPANY, checkFilings, FIRST_DAY, filingsOf, START } from '../simulated-filings.ts'
import { type SourceReader, startReaders } from '../source-reader.ts'
import { randomOf } from '../vendor-simulator.ts'

const END = START + 7 * DAY
const STEP = runs(6, 1) * HOUR
const KILLS = runs(2, 12)
/** Requests between two kills, at most. */
const KILL_WITHIN = runs(50, 60)
const LATEST_MS = 40
/** Days of the year of backfill between those with filings, and filings of a day of the week that is followed. */
const PAST_EVERY = runs(20, 3)
const PER_DAY = runs(5, 20)
/** The feed lists the newest filings only. */
const FEED_LISTS = runs(3, 15)
/** EDGAR blocks a reader after this many requests, for minutes. */
const BLOCKED_EVERY = runs(60, 150)
const BLOCKED_FOR = 8 * MINUTE
const FAULTS = 0.03
/** A document that is missing for a while. */
const MISSING_FOR = 30 * HOUR
/** Until a document that stays missing is given up. */
const TAIL = 10 * DAY
const REQUESTS_PER_SECOND = 10

onEveryEngine('simulated EDGAR', (engine) => {
  const workers = engine === 'postgres' ? 2 : 1
  let now = START
  const all = [
    ...filingsOf(Date.parse(FIRST_DAY), START, (day) => ((day / DAY) % PAST_EVERY === 0 ? 3 : 0)),
    ...filingsOf(START, END, () => PER_DAY),
  ]
  const numbers = new Map(all.map(({ accessionNumber }, number) => [accessionNumber, number]))
  // The figures of reports do not come from their documents.
  const isMissingForEver = ({ formType }: SimulatedFiling, number: number) => number % 17 === 11 && formType !== '10-Q'
  const isMissingForAWhile = ({ acceptedAt }: SimulatedFiling, number: number) =>
    number % 17 === 3 && now < Math.max(Date.parse(acceptedAt), START) + MISSING_FOR

  const simulator = new EdgarSimulator()
  simulator.documents.set('/files/company_tickers_exchange.json', TICKERS_EXCHANGE)
  simulator.latest = () => simulator.filings.slice(-FEED_LISTS)
  let requests = 0
  const counts = new Map<string, number>()
  let blockedUntil = 0
  let killNext = () => {}
  simulator.refuse = (path) => {
    requests += 1
    killNext()
    if (requests % BLOCKED_EVERY === 0 && now < END) blockedUntil = now + BLOCKED_FOR
    if (now < blockedUntil) return 403
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    if (randomOf(`${path} ${count}`) < FAULTS && now < END) return 503
    const number = numbers.get(/([\d-]{20})\.txt$/.exec(path)?.[1] ?? '')
    const filing = number === undefined ? undefined : all[number]
    if (filing === undefined || number === undefined) return undefined
    return isMissingForEver(filing, number) || isMissingForAWhile(filing, number) ? 404 : undefined
  }

  let place: Place
  let readers: SourceReader[] = []
  before(async () => {
    place = await createPlace(engine)
    await (await openPlace(place)).close()
  })
  after(async () => {
    await Promise.all(readers.map((reader) => reader.end()))
    await simulator.close()
    await place.remove()
  })

  test(`after a year of backfill, a week and ${KILLS} kill -9 every filing is stored once`, async () => {
    const url = await simulator.listen()
    const edgar = { kind: 'edgar', contact: 'me@example.com', url, dataUrl: url }
    const sources = [
      edgar,
      { ...edgar, ciks: [COMPANY], from: FIRST_DAY },
      { ...edgar, from: FIRST_DAY, to: isoDay(START - DAY) },
    ]
    readers = startReaders(place, { allowHosts: ['127.0.0.1'], sources }, workers)
    const paced: number[] = []
    for (const reader of readers) reader.onPaced = (at) => paced.push(at)

    const random = dice(KILLS)
    let kills = 0
    let killAt = random() * KILL_WITHIN
    killNext = () => {
      if (requests < killAt || kills === KILLS) return
      kills += 1
      killAt = requests + random() * KILL_WITHIN
      const victim = readers[Math.floor(random() * workers)]
      setTimeout(() => victim?.kill(), random() * LATEST_MS)
    }

    for (; now < END + TAIL; now += now < END ? STEP : DAY) {
      simulator.filings = all.filter(({ acceptedAt }) => Date.parse(acceptedAt) <= now)
      await Promise.all(readers.map((reader) => reader.readUntil(now)))
    }
    await Promise.all(readers.map((reader) => reader.end()))
    assert.equal(kills, KILLS)
    const db = await openPlace(place)
    const store = createStore(db)
    await checkFilings(
      store,
      all.filter((filing, number) => !isMissingForEver(filing, number)),
    )
    const states = await store.sources.list()
    assert.deepEqual(
      states.map(({ lastError, state }) => [lastError, state.missing]),
      states.map(() => [null, []]),
    )
    await db.close()

    assert.ok(paced.length >= requests, 'each request was paced')
    paced.sort((one, other) => one - other)
    const crowded = paced.filter((at, index) => (paced[index + REQUESTS_PER_SECOND] ?? Infinity) - at < SECOND)
    assert.deepEqual(crowded, [])
  })
})
