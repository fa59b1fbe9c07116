/** The files for containers and systemd, as far as they can be tested without either. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  test('systemd accepts the unit', { skip: !hasSystemd && 'no systemd-analyze' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintick-unit-'))
    const file = join(folder, 'mintick.service')
    // The command need not be installed here.
    writeFileSync(file, read('ops/mintick.service').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  })
})
