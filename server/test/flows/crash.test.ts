import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { openAccount } from '../../src/admission/open-account.ts'
import { planRules } from '../../src/billing/plan-rules.ts'
import { readConfig } from '../../src/config.ts'
import { createMintick } from '../../src/main.ts'
import { runs } from '../depth.ts'
import { createPlace, onEveryEngine } from '../harness.ts'
import { killHard, spawnService } from '../spawn.ts'

const ROUNDS = runs(2, 20)
const CALLERS = 12
const OPENING_BALANCE = 1_000_000

onEveryEngine('kill -9 under load', (engine) => {
  let place: Awaited<ReturnType<typeof createPlace>>
  before(async () => {
    place = await createPlace(engine)
  })
  after(() => place.remove())

  const open = () => createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })

  test(`${ROUNDS} rounds: every answered 200 has exactly one charge record, and the audit holds`, async () => {
    const first = await open()
    const { store, clock, pepper } = first
    const opened = await openAccount(
      { email: 'crash@test.example', name: null, planSlug: 'custom', credits: OPENING_BALANCE },
      { store, clock, pepper },
    )
    assert.ok(opened !== undefined)
    const limits = { requestsPerMinute: 1e9, requestsPerHour: 1e9, requestsPerDay: 1e9, burst: 1e9 }
    await store.accounts.update(opened.account.id, { overrides: limits }, planRules(clock.now()))
    await first.close()

    const answered: string[] = []
    let inFlight = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const { child, url } = await spawnService(place.env)
      const stop = new AbortController()
      const enough = Promise.withResolvers<void>()
      const wanted = answered.length + 10 * (1 + round)
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!stop.signal.aborted) {
          const reply = await call(url, opened.apiKey)
          if (reply !== undefined) answered.push(reply)
          if (answered.length >= wanted) enough.resolve()
        }
      })
      await Promise.race([enough.promise, once(child, 'exit')])
      await delay(round % 5) // hits a different moment of the charges that follow
      stop.abort()
      assert.equal(child.exitCode, null, 'the service ended by itself')
      await killHard(child)
      await Promise.all(callers)
      inFlight += CALLERS
    }

    const last = await open()
    const balance = await last.store.ledger.balance(opened.account.id)
    const report = await last.store.audit.run()
    const records = await chargeRecords(last, opened.account.id)
    await last.close()

    assert.deepEqual(report.problems, [])
    for (const id of answered) assert.equal(records.get(id), 1, `charge records of ${id}`)
    const charged = [...records.values()].reduce((sum, count) => sum + count, 0)
    assert.equal(balance, OPENING_BALANCE - charged)
    assert.ok(charged - answered.length <= inFlight, `${charged - answered.length} charges beyond the calls in flight`)
  })
})

/** Returns the request id of a reply, or undefined if the service died before replying. */
async function call(url: string, key: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/entries`, { headers: { authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    return response.status === 200 ? (response.headers.get('x-request-id') ?? undefined) : undefined
  } catch {
    return undefined
  }
}

async function chargeRecords(
  { store }: { store: Awaited<ReturnType<typeof createMintick>>['store'] },
  accountId: string,
) {
  const records = new Map<string, number>()
  for (let offset = 0; ; offset += 5_000) {
    const { data } = await store.requestLog.page(accountId, {}, 5_000, offset)
    for (const { id, credits } of data) if (credits > 0) records.set(id, (records.get(id) ?? 0) + 1)
    if (data.length < 5_000) return records
  }
}
