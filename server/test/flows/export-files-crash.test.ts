import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parquetMetadata } from 'hyparquet'
import { createStore } from '../../src/store/store.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { FakeClock, onEveryEngine, openPlace, TestService } from '../harness.ts'
import { killHard } from '../spawn.ts'

const ROUNDS = runs(2, 40)
const ADMIN_TOKEN = 'files-files-files'
const DAYS = ['2026-02-27', '2026-02-28', '2026-03-01']
/** In this time the files of the changed days are built. */
const LONGEST_MS = 500

interface ListedFile {
  id: string
  dataset: string
  day: string
  rows: number
  bytes: number
  sha256: string
  credits: number
}

onEveryEngine('kill -9 while daily files are built and sold', (engine) => {
  const service = new TestService(new FakeClock())
  service.isAlone = true
  let account: { id: string; key: string }
  let worker: ChildProcess
  let url: string
  before(async () => {
    await service.start(engine, { SAMPLE_DATA: 'on' })
    account = await service.openUnlimited()
    await service.mintick.close()
  })
  after(async () => {
    worker.kill('SIGKILL')
    await service.place.remove()
  })

  const start = async () => {
    const env = { ...process.env, ...service.place.env, ADMIN_TOKEN, EXPORT_FILES_DAYS: String(DAYS.length) }
    worker = fork(join(import.meta.dirname, '../export-worker.ts'), { env, execArgv: [] })
    ;[url] = (await once(worker, 'message')) as [string]
  }
  const kill = async () => {
    await killHard(worker)
    // The lease of the dead process would expire after half a minute.
    if (engine === 'postgres') {
      await inStore((db) => db.ledger.transaction((tx) => tx.query('delete from leases')))
    }
  }
  const inStore = async <Result>(work: (db: Awaited<ReturnType<typeof openPlace>>) => Promise<Result>) => {
    const db = await openPlace(service.place)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }
  const build = async () => {
    worker.send('build')
    await once(worker, 'message')
  }
  const call = (path: string) => fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${account.key}` } })
  const list = async (): Promise<ListedFile[]> => {
    const files: ListedFile[] = []
    for (;;) {
      const path = `/export/files?limit=100&offset=${files.length}&includeSuperseded=true`
      const { data, meta } = (await (await call(path)).json()) as { data: ListedFile[]; meta: { hasMore: boolean } }
      files.push(...data)
      if (!meta.hasMore) return files
    }
  }
  const addEntries = async (name: string) => {
    const rows = DAYS.map((day) => ({
      url: `https://late.example/${name}/${day}`,
      title: `Late ${name}`,
      publishedAt: `${day}T12:00:00Z`,
    }))
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const reply = await fetch(`${url}/admin/import/entries`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ rows }),
    })
    assert.equal(reply.status, 200)
  }
  /** Downloads files until the service dies. */
  const buy = async () => {
    try {
      for (;;) for (const { id } of await list()) await (await call(`/export/files/${id}`)).arrayBuffer()
    } catch {
      // The service was killed.
    }
  }

  /** Downloads all files, and compares them with their list and with the folder. */
  const assertWhole = async (files: readonly ListedFile[]) => {
    for (const file of files) {
      const bytes = await (await call(`/export/files/${file.id}`)).arrayBuffer()
      const rows = Number(parquetMetadata(bytes).num_rows)
      const sha256 = createHash('sha256').update(new Uint8Array(bytes)).digest('hex')
      assert.deepEqual([rows, bytes.byteLength, sha256], [file.rows, file.bytes, file.sha256])
    }
    const names = files.map(({ id, dataset, day }) => `${dataset}/${day}/${id}.parquet`)
    const folder = join(service.place.env.DATA_DIR ?? '', 'exports')
    const stored = readdirSync(folder, { recursive: true }).map(String)
    assert.deepEqual(stored.filter((name) => /\.\w+$/.test(name)).sort(), names.sort())
  }

  test(`${ROUNDS} rounds: only whole files are listed, each is paid for once, and none is left over`, async () => {
    const roll = dice(22)
    await start()
    for (let round = 0; round < ROUNDS; round += 1) {
      await addEntries(`before-${round}`)
      worker.send('build')
      const bought = buy()
      await delay(roll() * LONGEST_MS)
      await kill()
      await bought
      await start()
      // So that what was being built is not built again under the same name.
      await addEntries(`after-${round}`)
      await build()
      await assertWhole(await list())
    }
    const files = await list()
    await kill()
    const charges = await inStore(async (db) => {
      assert.deepEqual((await createStore(db).audit.run()).problems, [])
      return db.ledger.query<{ id: string; credits: number }>(
        'select export_id as id, credits from metered_charges where account_id = $1',
        [account.id],
      )
    })
    const paid = ({ id, credits }: { id: string; credits: number }) => `${id} ${credits}`
    assert.deepEqual(charges.map(paid).sort(), files.map(paid).sort())
  })
})
