import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { createPlace, FakeClock, openPlace } from '../../../test/harness.ts'
import { loggedRequest } from '../../../test/logged-request.ts'
import { StreamWorld } from '../../../test/streams.ts'
import type { Caller } from '../../admission/caller.ts'
import type { LoggedRequest } from '../../model/request-log.ts'
import { type RequestBatch, recordRequests } from '../accounts/record-requests.ts'
import type { Db, Procedure, Transaction } from '../db.ts'
import { together } from '../sql.ts'
import { createStore, type Store } from '../store.ts'
import { migrate } from './migrate.ts'
import { openSqlite, SQLITE_FILES } from './sqlite.ts'
import { connect, transactionOf } from './sqlite-connection.ts'
import { Deferral } from './sqlite-deferral.ts'

const START = new FakeClock().now()
const root = mkdtempSync(join(tmpdir(), 'mintick-deferral-'))
after(() => rmSync(root, { recursive: true }))

/** Opens two stores with the same accounts; calls `work` with them and removes them. */
async function withTwins(balances: readonly number[], work: (twins: [Twin, Twin]) => Promise<void>): Promise<void> {
  const place = await createPlace('sqlite')
  const callers: Caller[] = []
  const first = createStore(await openPlace(place))
  for (const credits of balances) callers.push(await new StreamWorld(first).caller('starter', credits))
  await first.close()
  const folders = [join(root, randomUUID()), join(root, randomUUID())] as const
  for (const folder of folders) cpSync(place.env.DATA_DIR ?? '', folder, { recursive: true })
  const twins: [Twin, Twin] = [await openTwin(folders[0], callers), await openTwin(folders[1], callers)]
  try {
    await work(twins)
  } finally {
    for (const { store } of twins) await store.close()
    await place.remove()
  }
}

interface Twin {
  folder: string
  db: Db
  store: Store
  callers: readonly Caller[]
}

async function openTwin(folder: string, callers: readonly Caller[]): Promise<Twin> {
  const db = openSqlite(folder)
  await migrate(db, START)
  return { folder, db, store: createStore(db), callers }
}

const COMPARED = [
  'accounts',
  'api_keys',
  'lots',
  'transfers',
  'usage_daily',
  'usage_days',
  'request_log',
  'request_log_heads',
  'request_log_blocks',
]

async function contentsOf({ db }: Twin): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {}
  for (const table of COMPARED) {
    const rows = await db.ledger.query(`select * from ${table}`)
    contents[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return contents
}

/** Reads the file beside the process that has it open. */
function rawLedger(folder: string) {
  const database = new DatabaseSync(join(folder, SQLITE_FILES.ledger), { readOnly: true })
  return {
    count: () => database.prepare('select count(*) as count from deferred_runs').get()?.count,
    [Symbol.dispose]: () => database.close(),
  }
}

const deferred = async ({ db }: Twin) => {
  const [row] = await db.ledger.query<{ count: number }>('select count(*) as count from deferred_runs')
  return row?.count
}

interface Call {
  caller: number
  credits: number
}

type Step =
  | { kind: 'charge'; calls: readonly Call[] }
  | { kind: 'log' | 'grant' | 'withdraw' | 'read' | 'crash'; caller: number }

const CALLERS = 3
const caller = fc.nat(CALLERS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('charge' as const), calls: callsOf(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('log', 'grant', 'withdraw', 'read', 'crash'), caller }),
  },
)

function callsOf(maxCredits: number) {
  return fc.array(fc.record({ caller, credits: fc.nat(maxCredits) }), { minLength: 1, maxLength: 4 })
}

test('deferred charges decide and write the same as charges one after the other, also beside transfers and after crashes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(40), { minLength: CALLERS, maxLength: CALLERS }),
      fc.array(step, { minLength: 20, maxLength: 40 }),
      async (balances, steps) => {
        await withTwins(balances, async (twins) => {
          const [, oracle] = twins
          const results: unknown[] = []
          // Without a pause, in which deferred work would be done.
          for (const [place, step] of steps.entries()) {
            if (step.kind === 'crash') twins[0] = await afterCrash(twins[0])
            else results.push(await take(twins[0], step, place, false))
          }
          const expected: unknown[] = []
          for (const [place, step] of steps.entries())
            if (step.kind !== 'crash') expected.push(await take(oracle, step, place, true))
          assert.deepEqual(results, expected)
          assert.deepEqual(await contentsOf(twins[0]), await contentsOf(oracle))
          assert.deepEqual((await twins[0].store.audit.run()).problems, [])
        })
      },
    ),
    { numRuns: runs(15, 300) },
  )
})

/** Returns the store as the next process finds it if this one is killed now. */
async function afterCrash({ folder, store, callers }: Twin): Promise<Twin> {
  const copy = join(root, randomUUID())
  cpSync(folder, copy, { recursive: true })
  await store.close()
  return openTwin(copy, callers)
}

/** Takes a step; an oracle does the work of each batch at once. */
async function take({ db, store, callers }: Twin, step: Step, place: number, isOracle: boolean): Promise<unknown> {
  const at = START + place
  if (!('caller' in step) || step.kind === 'log') {
    const calls = 'caller' in step ? [{ caller: step.caller, credits: 0 }] : step.calls
    const batch = batchOf(place, calls, callers, at)
    return isOracle
      ? db.ledger.transaction((tx) => recordRequests.work(tx, { batches: [batch] }))
      : db.ledger.run(recordRequests, { batches: [batch] })
  }
  const { account } = callers[step.caller] ?? {}
  assert.ok(account)
  const key = `${step.kind}-${place}`
  const transfer = { accountId: account.id, description: 'test', idempotencyKey: key, at, kind: 'adjustment' as const }
  if (step.kind === 'grant') await store.ledger.grant({ ...transfer, credits: 7 }, 'adjustment')
  if (step.kind === 'withdraw') return store.ledger.withdraw({ ...transfer, credits: -9 })
  return store.ledger.balance(account.id)
}

function batchOf(place: number, calls: readonly Call[], callers: readonly Caller[], at: number): RequestBatch {
  const requests = calls.flatMap(({ caller, credits }, index): LoggedRequest[] => {
    const { account, key } = callers[caller] ?? {}
    if (account === undefined || key === undefined) return []
    const id = `request-${place}-${index}`
    return [loggedRequest({ id, accountId: account.id, apiKeyId: key.id, createdAt: at, credits })]
  })
  const [first] = requests
  const usedKeys = first === undefined ? [] : [[first.apiKeyId, at] as const]
  return { id: `batch-${place}`, requests, rateLimited: requests.slice(0, 1), usedKeys }
}

test('a charge is deferred, its balance names the transfer that it will have, and the next read sees it', async () => {
  await withTwins([50, 50], async ([twin]) => {
    const calls = [
      { caller: 1, credits: 2 },
      { caller: 0, credits: 1 },
    ]
    const results = [0, 1].map((place) =>
      twin.db.ledger.run(recordRequests, { batches: [batchOf(place, calls, twin.callers, START)] }),
    )
    const [, last] = await Promise.all(results)
    using raw = rawLedger(twin.folder)
    assert.equal(raw.count(), 2)
    for (const [id, balance] of last?.balances ?? [])
      assert.deepEqual({ ...(await twin.store.ledger.lastBalance(id)) }, balance)
    assert.equal(last?.balances.size, 2)
    assert.equal(raw.count(), 0)
  })
})

test('a batch that was written before fails when it is repeated, whether its work was done or not', async () => {
  await withTwins([50], async ([twin]) => {
    const batches = [0, 1].map((place) => batchOf(place, [{ caller: 0, credits: 1 }], twin.callers, START))
    for (const batch of batches) await twin.db.ledger.run(recordRequests, { batches: [batch] })
    for (const isRead of [false, true]) {
      if (isRead) assert.equal(await deferred(twin), 0)
      for (const batch of batches) {
        const again = twin.db.ledger.run(recordRequests, { batches: [batch], areRepeated: true })
        await assert.rejects(again, /UNIQUE/)
      }
    }
    assert.equal(await twin.store.ledger.balance(twin.callers[0]?.account.id ?? ''), 48)
  })
})

test('a batch that cannot be written is kept, and reported by the audit; all others are written', async () => {
  await withTwins([50, 50], async ([twin]) => {
    const charge = (place: number, caller: number) =>
      twin.db.ledger.run(recordRequests, {
        batches: [batchOf(place, [{ caller, credits: 1 }], twin.callers, START)],
      })
    const [damaged = '', whole = ''] = twin.callers.map(({ account }) => account.id)
    await twin.db.ledger.transaction((tx) => tx.query('update lots set remaining = 0 where account_id = $1', [damaged]))
    for (const [place, caller] of [1, 0, 1].entries()) await charge(place, caller)
    assert.equal(await twin.store.ledger.balance(whole), 48)
    const { problems } = await twin.store.audit.run()
    assert.ok(
      problems.some((problem) => /^deferred batch 2 \(.*do not cover.*\): answered requests/.test(problem)),
      String(problems),
    )
    await assert.rejects(charge(3, 0), /do not cover/)
    await charge(4, 1)
    assert.equal(await twin.store.ledger.balance(whole), 47)
  })
})

test('a full disk is not the fault of a run, whichever statement of its work fails first', async () => {
  const connection = connect(join(root, 'full.sqlite'), { cacheKiB: 1_000 })
  connection.exec('create table deferred_runs (seq integer primary key, argument text not null, problem text)')
  connection.exec('create table small (id integer); create table large (text text)')
  const insertSmall = async (tx: Transaction) => {
    for (const id of [1, 2]) await tx.query('insert into small values ($1)', [id])
  }
  const insertLarge = (tx: Transaction) => tx.query('insert into large values ($1)', ['x'.repeat(20_000)])
  let size = 0
  const procedure: Procedure<unknown, unknown> = {
    module: '',
    name: 'fill',
    work: (tx) => together([insertSmall(tx), insertLarge(tx)]),
    defer: () => ({ predict: async () => true, add: () => size++, combined: () => ({}), size: () => size }),
  }
  const deferral = new Deferral(procedure, connection, transactionOf(connection), () => {})
  await deferral.run({}, '{}')
  const [{ page_count: pages } = assert.fail()] = connection.all<{ page_count: number }>('pragma page_count')
  connection.exec(`pragma max_page_count = ${pages}`)
  await assert.rejects(deferral.finish(), /full/)
  connection.exec('pragma max_page_count = 1000000')
  await deferral.finish()
  assert.deepEqual(connection.all('select * from deferred_runs'), [])
  assert.equal(connection.all('select * from small').length, 2)
  connection.close()
})

test('batches that this version has stored are read by later ones', async () => {
  await withTwins([50], async (twins) => {
    const [{ folder, store, callers }] = twins
    await store.close()
    const [{ account, key } = assert.fail()] = callers
    const stored = `{"batches":[{"id":"1772446830400-x","requests":[{"id":"r","accountId":"${account.id}","apiKeyId":"${key.id}",
      "endpoint":"GET /entries","method":"GET","path":"/api/v1/entries","query":null,"statusCode":200,"errorCode":null,"credits":2,
      "durationMs":1.5,"responseBytes":30000,"createdAt":1772446830400}],"rateLimited":[],"usedKeys":[["${key.id}",1772446830400]]}]}`
    using database = new DatabaseSync(join(folder, SQLITE_FILES.ledger))
    database.prepare('insert into deferred_runs (argument) values (?)').run(stored)
    twins[0] = await openTwin(folder, callers)
    assert.equal(await twins[0].store.ledger.balance(account.id), 48)
    assert.deepEqual((await twins[0].store.audit.run()).problems, [])
  })
})
