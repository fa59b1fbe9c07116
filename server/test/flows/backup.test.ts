/** `mintick backup` and `mintick restore`. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { restoreBackup, writeBackup } from '../../src/backup/backup.ts'
import { OperatorError } from '../../src/config.ts'
import { markUnused } from '../../src/data-folder.ts'
import { auditCharges } from '../charges.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { createPlace, onPostgres, openPlace, type Place } from '../harness.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { finished, killHard, LAUNCHER, spawnCommand, spawnService } from '../spawn.ts'
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

describe('a data folder', () => {
  const NOBODY = 65_534
  const isRoot = process.geteuid?.() === 0

  test('belongs to its owner after a restore by root', { skip: !isRoot && 'needs root' }, async () => {
    const place = await createPlace('sqlite')
    const folder = folderOf(place)
    const file = `${folder}.backup`
    await openAccountIn(place, 100)
    await writeBackup(folder, file, 0)
    rmSync(join(folder, 'mintick.lock'))
    for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), NOBODY, NOBODY)
    const { code, stderr } = await finished(spawnCommand(place.env, 'restore', file, '--force'))
    assert.equal(code, 0, stderr)
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    assert.ok(
      paths.some((path) => /^before-.+\/ledger\.sqlite$/.test(path)),
      paths.join(),
    )
    const foreign = paths.filter((path) => {
      const { uid, gid } = statSync(join(folder, path))
      return uid !== NOBODY || gid !== NOBODY
    })
    assert.deepEqual(foreign, [])
    rmSync(file)
    await place.remove()
  })

  test('of another user is explained', { skip: !isRoot && 'needs root' }, async () => {
    // Other users cannot enter the folder of the tests.
    const folder = mkdtempSync('/tmp/mintick-test-')
    const place = await createPlace('sqlite')
    const env = { ...process.env, ...place.env, DATA_DIR: folder }
    await openAccountIn({ ...place, env: { ...place.env, DATA_DIR: folder } }, 100)
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600)
    chownSync(folder, NOBODY, NOBODY)
    const code = `process.setgid(${NOBODY}); process.setuid(${NOBODY}); await import(process.argv[1])`
    const ended = await finished(spawn(process.execPath, ['--eval', code, LAUNCHER, 'serve'], { env }))
    assert.deepEqual(
      [ended.code, ended.stderr],
      [
        1,
        `mintick: DATA_DIR: the store cannot be opened (unable to open database file); this user may not write to ${folder}: check the owner and the permissions of the folder and its files\n`,
      ],
    )
    rmSync(folder, { recursive: true })
    await place.remove()
  })
})

describe('a disk that is too small', () => {
  const MB = 1_048_576
  const SIZES = Array.from({ length: runs(12, 60) }, (_, step) => Math.round(((step + 1) * 12 * MB) / runs(12, 60)))

  test('for a backup or a restore is named, and nothing is left on it', async (context) => {
    const place = await createPlace('sqlite')
    const folder = folderOf(place)
    const file = `${folder}.backup`
    await openAccountIn(place, 100)
    await writeBackup(folder, file, 0)
    const outcomes = { backup: new Set<boolean>(), restore: new Set<boolean>() }
    for (const size of SIZES) {
      using disk = mountSmallDisk(size)
      if (disk === undefined) {
        context.skip('not permitted to mount a small disk')
        break
      }
      const attempt = async (command: keyof typeof outcomes, work: () => Promise<unknown>, leftover: string[]) => {
        const refusal = await work().then(
          () => undefined,
          (error: unknown) => error,
        )
        outcomes[command].add(refusal === undefined)
        if (refusal === undefined) return
        assert.ok(refusal instanceof OperatorError, `${command} on ${size} bytes: ${refusal}`)
        assert.equal(refusal.message, `the disk of ${disk.folder} is full; free space there`)
        assert.deepEqual(readdirSync(disk.folder), leftover)
      }
      await attempt('backup', () => writeBackup(folder, join(disk.folder, 'some.backup'), 0), [])
      rmSync(join(disk.folder, 'some.backup'), { force: true })
      await attempt('restore', () => restoreBackup(file, disk.folder, { force: false, now: 0 }), ['mintick.lock'])
    }
    if (!context.signal.aborted) assert.deepEqual([outcomes.backup.size, outcomes.restore.size], [2, 2])
    rmSync(file)
    await place.remove()
  })
})

describe('an embedded store that a service on PostgreSQL has left', () => {
  test('is neither backed up nor replaced nor opened', async () => {
    const place = await createPlace('sqlite')
    const folder = folderOf(place)
    await openAccountIn(place, 100)
    markUnused(folder)
    const mark = join(folder, 'data-is-in-postgres')
    const refusal = `mintick: DATABASE_URL is not set, but the service of ${folder} uses PostgreSQL; set it as for the service, or delete ${mark} to use the embedded store again\n`
    for (const args of [
      ['backup', `${folder}.backup`],
      ['restore', `${folder}.backup`, '--force'],
      ['serve'],
      ['import', 'entries', '/dev/null'],
      ['seed', '--entries', '1'],
    ]) {
      const { code, stderr } = await finished(spawnCommand(place.env, ...args))
      assert.deepEqual([code, stderr], [1, refusal], args.join(' '))
    }
    rmSync(mark)
    assert.equal((await finished(spawnCommand(place.env, 'backup', `${folder}.backup`))).code, 0)
    rmSync(`${folder}.backup`)
    await place.remove()
  })
})

describe('backup and restore', () => {
  test('say which folder is missing', async () => {
    const place = await createPlace('sqlite')
    const { code, stderr } = await finished(spawnCommand(place.env, 'backup', '/nowhere/x.backup'))
    const refusal = 'mintick: cannot write /nowhere/x.backup: there is no folder /nowhere\n'
    assert.deepEqual([code, stderr], [1, refusal])
    await place.remove()
  })

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

onPostgres('backup and restore of PostgreSQL', () => {
  const hasTools = spawnSync('pg_restore', ['--version']).status === 0

  test('work as the commands say', { skip: !hasTools && 'no pg_dump' }, async () => {
    const place = await createPlace('postgres')
    const { id } = await openAccountIn(place, 100)
    // Only its parameters lead to the server.
    const url = new URL(place.env.DATABASE_URL ?? '')
    const parameters = { host: url.hostname, port: url.port, sslmode: 'disable', application_name: 'a/b' }
    url.host = 'nowhere.invalid:1'
    url.search = new URLSearchParams(parameters).toString()
    /** The shell commands in what a command prints, without those for base backups. */
    const shownBy = async (command: string) =>
      [...(await finished(spawnCommand(place.env, command, 'x'))).stderr.matchAll(/^ {2}(.+)$/gm)]
        .map(([, line]) => line)
        .filter((line) => !line?.startsWith('pg_basebackup'))
    const name = `mintick_restored_${id.slice(0, 8)}`
    const script = [...(await shownBy('backup')), ...(await shownBy('restore'))].join('\n')
    const printed = execFileSync('sh', ['-ec', script.replaceAll('mintick_restored', name)], {
      cwd: folderOf(place),
      env: { ...process.env, DATABASE_URL: url.href },
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    })
    assert.equal(statSync(join(folderOf(place), 'mintick.dump')).mode & 0o777, 0o600)
    const restored = new URL(printed.trim())
    assert.deepEqual(Object.fromEntries(restored.searchParams), parameters)
    const db = await openPlace({ ...place, env: { ...place.env, DATABASE_URL: restored.href } })
    assert.equal((await db.query('select id from accounts where id = $1', [id])).length, 1)
    await db.close()
    execFileSync('dropdb', [`--maintenance-db=${url.href}`, name])
    await place.remove()
  })
})
