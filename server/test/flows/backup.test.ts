/** `mintick backup` and `mintick restore`. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { restoreBackup, writeBackup } from '../../src/backup/backup.ts'
import { OperatorError } from '../../src/config.ts'
import { auditCharges } from '../charges.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { createPlace, openPlace, type Place } from '../harness.ts'
import { finished, killHard, spawnCommand, spawnService } from '../spawn.ts'
import { openAccountIn } from '../unlimited-account.ts'

const OPENING_BALANCE = 1_000_000
const CALLERS = 12
const folderOf = (place: Place) => place.env.DATA_DIR ?? ''

describe('a backup under load', () => {
  let place: Place
  let restored: Place
  let file: string
  let account: { id: string; key: string }
  before(async () => {
    place = await createPlace('sqlite')
    restored = await createPlace('sqlite')
    file = `${folderOf(place)}.backup`
    account = await openAccountIn(place, OPENING_BALANCE)
  })
  after(async () => {
    rmSync(file, { force: true })
    await place.remove()
    await restored.remove()
  })

  test('has a charge record for every request that was answered before it began', async () => {
    const { child, url } = await spawnService(place.env)
    const answered: string[] = []
    let isOver = false
    const headers = { authorization: `Bearer ${account.key}` }
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const response = await fetch(`${url}/api/v1/entries`, { headers })
        await response.arrayBuffer()
        assert.equal(response.status, 200)
        answered.push(response.headers.get('x-request-id') ?? '')
      }
    })
    const served = Promise.all(callers)
    while (answered.length < runs(200, 5_000)) await Promise.race([delay(5), served])
    const known = [...answered]
    const backup = await finished(spawnCommand(place.env, 'backup', file))
    assert.deepEqual([backup.code, backup.stderr], [0, ''])
    assert.match(backup.stdout, /^Wrote .+: 3 accounts and \d+ charges, checked and audited\n$/)
    const duringBackup = answered.length - known.length
    assert.ok(duringBackup > 0, 'the service answered during the backup')

    const refused = await finished(spawnCommand(place.env, 'restore', file, '--force'))
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^mintick: DATA_DIR: another Mintick process is using the data folder .+\n$/)
    isOver = true
    await served
    await killHard(child)

    const restore = await finished(spawnCommand(restored.env, 'restore', file))
    assert.deepEqual([restore.code, restore.stderr], [0, ''])
    const problems = await auditCharges(restored, {
      accountId: account.id,
      openingBalance: OPENING_BALANCE,
      answered: known,
      unanswered: duringBackup + CALLERS,
    })
    assert.deepEqual(problems, [])
  })

  test('is served with the same keys and the same admin token', async () => {
    const { child, url } = await spawnService(restored.env)
    const headers = { authorization: `Bearer ${account.key}` }
    assert.equal((await fetch(`${url}/api/v1/entries`, { headers })).status, 200)
    const token = readFileSync(join(folderOf(place), 'admin-token'), 'utf8').trim()
    const audit = await fetch(`${url}/admin/audit`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(((await audit.json()) as { data: { isBalanced: boolean } }).data.isBalanced, true)
    await killHard(child)
  })

  test('is for its owner only, and no later backup replaces it', async () => {
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const { code, stderr } = await finished(spawnCommand(place.env, 'backup', file))
    assert.deepEqual([code, stderr], [1, `mintick: ${file} already exists\n`])
  })

  test('into a folder that is not empty is refused; --force moves the old files aside', async () => {
    const { code, stderr } = await finished(spawnCommand(place.env, 'restore', file))
    const folder = folderOf(place)
    assert.deepEqual([code, stderr], [1, `mintick: DATA_DIR: ${folder} is not empty; --force moves its files aside\n`])
    const forced = await finished(spawnCommand(place.env, 'restore', file, '--force'))
    assert.equal(forced.code, 0, forced.stderr)
    const aside = /^The files that were there are in (.+)$/m.exec(forced.stdout)?.[1] ?? ''
    assert.deepEqual(
      ['mintick.sqlite', 'ledger.sqlite', 'key-pepper', 'admin-token'].filter((name) => !existsSync(join(aside, name))),
      [],
    )
  })

  test('killed at any moment, a restore leaves the old store or the new one', async () => {
    const roll = dice(7)
    for (let round = 0; round < runs(3, 40); round += 1) {
      const target = await createPlace('sqlite')
      const old = await openAccountIn(target, 5)
      const child = spawnCommand(target.env, 'restore', file, '--force')
      await delay(Math.floor(roll() * 1_500))
      if (child.exitCode === null) await killHard(child)
      const db = await openPlace(target)
      const owners = await db.ledger.query<{ id: string }>('select id from accounts where id in ($1, $2)', [
        old.id,
        account.id,
      ])
      await db.close()
      assert.equal(owners.length, 1)
      const pepper = readFileSync(join(folderOf(target), 'key-pepper'), 'utf8')
      const isNew = pepper === readFileSync(join(folderOf(place), 'key-pepper'), 'utf8')
      assert.equal(owners[0]?.id, isNew ? account.id : old.id)
      await target.remove()
    }
  })
})

/** Whether the bytes say the same in spite of a wrong bit: some bits of Zstandard's frame have no meaning. */
function decompressesTo(damaged: Buffer, plain: Buffer): boolean {
  try {
    return zstdDecompressSync(damaged).equals(plain)
  } catch {
    return false
  }
}

describe('a file that is no whole backup', () => {
  let place: Place
  let target: Place
  let file: string
  let bytes: Buffer
  before(async () => {
    place = await createPlace('sqlite')
    target = await createPlace('sqlite')
    await openAccountIn(place, 100)
    file = `${folderOf(place)}.backup`
    await writeBackup(folderOf(place), file, 0)
    bytes = readFileSync(file)
  })
  after(async () => {
    rmSync(file)
    await place.remove()
    await target.remove()
  })

  /** Expects a refusal in one line that leaves nothing behind. */
  async function assertRefused(damaged: Uint8Array, message: RegExp): Promise<void> {
    writeFileSync(file, damaged)
    await assert.rejects(restoreBackup(file, folderOf(target), { force: false, now: 0 }), (error) => {
      assert.ok(error instanceof OperatorError, String(error))
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /\n/)
      return true
    })
    assert.deepEqual(readdirSync(folderOf(target)), ['mintick.lock'])
  }

  test('is refused if it is truncated, anywhere', async () => {
    const roll = dice(1)
    const lengths = [
      1,
      4,
      100,
      bytes.length - 1,
      ...Array.from({ length: runs(10, 200) }, () => Math.floor(roll() * bytes.length)),
    ]
    for (const length of lengths)
      await assertRefused(bytes.subarray(0, length), /is damaged or incomplete|is not a backup/)
  })

  test('is refused if a byte is wrong, anywhere', async () => {
    const plain = zstdDecompressSync(bytes)
    const roll = dice(2)
    for (let run = 0; run < runs(20, 400); run += 1) {
      const damaged = Buffer.from(bytes)
      const place = Math.floor(roll() * bytes.length)
      damaged[place] = (damaged[place] ?? 0) ^ (1 << Math.floor(roll() * 8))
      if (!decompressesTo(damaged, plain)) await assertRefused(damaged, /damaged|is not a backup/)
    }
  })

  test('is refused if its manifest is damaged', async () => {
    const plain = zstdDecompressSync(bytes).toString('latin1')
    for (const [right, wrong] of [
      ['"files": {', '"filez": {'],
      ['"bytes":', '"bytez":'],
      ['"sha256":', '"sha257":'],
      ['"mintick.sqlite":', '"mintick.sqlitf":'],
    ] as const) {
      assert.ok(plain.includes(right), right)
      await assertRefused(zstdCompressSync(Buffer.from(plain.replace(right, wrong), 'latin1')), /damaged/)
    }
    const later = zstdCompressSync(Buffer.from(plain.replace('mintick-backup-1', 'mintick-backup-2'), 'latin1'))
    await assertRefused(later, /was written by Mintick .* restore it with that version/)
  })

  test('is refused if it is something else', async () => {
    for (const foreign of [
      '',
      'no backup',
      randomBytes(5_000),
      zstdCompressSync(randomBytes(5_000)),
      zstdCompressSync(''),
    ]) {
      await assertRefused(Buffer.from(foreign), /is damaged or incomplete|is not a backup of Mintick/)
    }
    writeFileSync(file, 'no backup')
    const { code, stderr } = await finished(spawnCommand(target.env, 'restore', file))
    assert.deepEqual([code, stderr], [1, `mintick: ${file} is not a backup of Mintick\n`])
    const missing = await finished(spawnCommand(target.env, 'restore', `${file}.missing`))
    assert.deepEqual([missing.code, missing.stderr], [1, `mintick: cannot read ${file}.missing (ENOENT)\n`])
  })
})

describe('backup and restore', () => {
  test('refuse a store that does not add up, and one of another version', async () => {
    const place = await createPlace('sqlite')
    const file = `${folderOf(place)}.backup`
    await openAccountIn(place, 100)
    const change = async (sql: string) => {
      const db = await openPlace(place)
      await db.ledger.transaction((tx) => tx.query(sql))
      await db.close()
    }
    await change('update accounts set posted = posted + 1 where posted = 100')
    await assert.rejects(
      writeBackup(folderOf(place), file, 0),
      /the ledger does not add up: account .+ balance differs/,
    )
    await change('update accounts set posted = 100 where posted = 101')
    await change("insert into migrations (name, applied_at) values ('999-future.sql', 0)")
    await assert.rejects(writeBackup(folderOf(place), file, 0), /a newer version of Mintick .*999-future/)
    assert.deepEqual(
      readdirSync(join(folderOf(place), '..')).filter((name) => join(folderOf(place), '..', name).startsWith(file)),
      [],
    )
    await place.remove()
  })

  test('say how PostgreSQL does it, and fail', async () => {
    const place = await createPlace('sqlite')
    const env = { ...place.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    for (const [command, tool] of [
      ['backup', /pg_dump .*\n[\s\S]*pg_basebackup/],
      ['restore', /pg_restore .*\n[\s\S]*recovery_target_time/],
    ] as const) {
      const { code, stdout, stderr } = await finished(spawnCommand(env, command, 'some.file'))
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, tool)
    }
    await place.remove()
  })
})
