/** The files for containers and systemd, as far as they can be tested without either. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { killHard, spawnService } from '../spawn.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

suite('files for operation', () => {
  const dockerfile = read('Dockerfile')
  const { services } = parse(read('compose.yaml'))
  const composed: Record<string, string> = Object.fromEntries(
    Object.entries(services.mintick.environment as Record<string, string>).map(([name, value]) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]),
  )
  const imageEnv = Object.fromEntries(
    (/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
  )

  test('compose.yaml sets what is a setting, to values that are accepted', () => {
    const config = readConfig({ ...imageEnv, ...composed })
    for (const name of Object.keys({ ...imageEnv, ...composed })) assert.ok(name in config, name)
    assert.equal(config.HOST, '0.0.0.0')
  })

  test('the health check passes while the service runs, and fails when it does not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintick-container-'))
    const [, check = ''] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(dockerfile) ?? []
    const [, script = '', ...args] = JSON.parse(check) as string[]
    const env = { ...imageEnv, ...composed, HOST: '127.0.0.1', PORT: '0', SAMPLE_DATA: 'off', DATA_DIR: folder }
    const { child, url } = await spawnService(env)
    const isHealthy = () =>
      spawnSync(process.execPath, [script, ...args], { env: { PORT: new URL(url).port } }).status === 0
    assert.equal(isHealthy(), true)
    await killHard(child)
    assert.equal(isHealthy(), false)
    rmSync(folder, { recursive: true })
  })

  const hasSystemd = existsSync('/usr/bin/systemd-analyze')
  test('systemd accepts the units', { skip: !hasSystemd && 'no systemd-analyze' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintick-unit-'))
    const files = ['mintick.service', 'mintick-backup.service', 'mintick-backup.timer'].map((name) => {
      const file = join(folder, name)
      // The command need not be installed here.
      writeFileSync(file, read(`ops/${name}`).replace(/^ExecStart=\/opt\/.*$/m, 'ExecStart=/bin/true'))
      return file
    })
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  })

  test('the backup of the timer is written, and only old files are removed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintick-timer-'))
    const bin = join(folder, 'bin')
    const unit = read('ops/mintick-backup.service')
      .replaceAll('/var/backups/mintick', `${folder}/backups`)
      .replaceAll('/var/lib/mintick', `${folder}/data`)
      .replaceAll('%%', '%')
    for (const path of ['bin', 'backups', 'data/before-2020', 'data/before-now', 'data/vectors']) {
      mkdirSync(join(folder, path), { recursive: true })
    }
    writeFileSync(join(bin, 'mintick'), '#!/bin/sh\necho "$@" > "$2"\n', { mode: 0o755 })
    writeFileSync(join(folder, 'backups/old.backup'), '')
    for (const path of ['backups/old.backup', 'data/before-2020', 'data/vectors']) utimesSync(join(folder, path), 0, 0)
    for (const [, command = ''] of unit.matchAll(/^ExecStart(?:Pre|Post)?=(.+)$/gm)) {
      const env = { PATH: `${bin}:/usr/bin:/bin` }
      assert.equal(spawnSync('/bin/sh', ['-c', command.replace(' {} +', " '{}' +")], { env }).status, 0, command)
    }
    assert.match(readdirSync(join(folder, 'backups')).join(), /^20\d\d-\d\d-\d\d-\d{6}\.backup$/)
    assert.deepEqual(readdirSync(join(folder, 'data')).sort(), ['before-now', 'vectors'])
    rmSync(folder, { recursive: true })
  })
})
