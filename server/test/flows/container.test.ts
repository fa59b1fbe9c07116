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
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { hasHaproxy } from '../haproxy.ts'
import { killHard, spawnService } from '../spawn.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

interface Composed {
  depends_on?: string[] | Record<string, unknown>
  volumes?: string[]
}

/** Returns a value of a compose file with the defaults of its variables, or a text for those that must be set. */
const filledIn = (value: string) =>
  value.replace(/\$\{\w+(?::-(.*?)|:\?)\}/g, (_, fallback) => fallback ?? 'x'.repeat(32))

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

  test('the compose file of several instances sets what is a setting, to values that are accepted', () => {
    const { services, volumes } = parse(read('ops/scale/compose.yaml'), { merge: true })
    for (const role of ['api', 'worker']) {
      const given = Object.entries(services[role].environment as Record<string, string | number>).map(
        ([name, value]): [string, string] => [name, filledIn(String(value))],
      )
      const config = readConfig({ ...imageEnv, ...Object.fromEntries(given) })
      for (const [name] of given) assert.ok(name in config, name)
      assert.equal(config.ROLE, role)
      for (const url of [
        config.DATABASE_URL,
        config.DATABASE_READ_URL,
        `redis://${config.REDIS_URL?.hosts[0]?.host}`,
      ]) {
        assert.ok(new URL(url ?? '').hostname in services, String(url))
      }
    }
    assert.equal(services.api.deploy.replicas, 2)
    for (const { depends_on: needed = {}, volumes: mounted = [] } of Object.values<Composed>(services)) {
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) assert.ok(name in services, name)
      for (const [source = ''] of mounted.map((mount) => mount.split(':'))) {
        if (source.startsWith('./')) assert.ok(existsSync(join(ROOT, 'ops/scale', source)), source)
        else if (!source.startsWith('/')) assert.ok(source in volumes, source)
      }
    }
    for (const file of ['allow-replication.sh', 'follow-primary.sh']) {
      assert.equal(spawnSync('/bin/sh', ['-n', join(ROOT, 'ops/scale', file)]).status, 0, file)
    }
  })

  test('HAProxy accepts its configuration', { skip: !hasHaproxy() && 'haproxy is not installed' }, () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(ROOT, 'ops/scale/haproxy.cfg')], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
  })

  test('the Kubernetes objects fit together, and set what is a setting', () => {
    const objects = parseAllDocuments(read('ops/kubernetes.yaml')).map((one) => one.toJS())
    const find = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name)
    const common = { ...find('Secret', 'mintick').stringData, ...find('ConfigMap', 'mintick').data }
    const pods = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec)
    assert.equal(pods.length, 2)
    for (const { selector, template } of pods) {
      assert.deepEqual(selector.matchLabels, template.metadata.labels)
      const [container] = template.spec.containers
      const own = Object.fromEntries(
        container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
      )
      const config = readConfig({ ...imageEnv, ...common, ...own })
      for (const name of Object.keys({ ...common, ...own })) assert.ok(name in config, name)
      assert.equal(config.ROLE, selector.matchLabels.role)
      const ports = Object.fromEntries(
        container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
          name,
          containerPort,
        ]),
      )
      assert.deepEqual(ports, { http: config.PORT, admin: config.ADMIN_PORT })
      assert.ok(template.spec.terminationGracePeriodSeconds * 1_000 > 2 * config.DRAIN_MS)
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        assert.match(container[probe].httpGet.path, /^\/(ready|health)$/)
      }
      const mounts = container.volumeMounts.map(({ name }: { name: string }) => name)
      assert.deepEqual(
        mounts,
        template.spec.volumes.map(({ name }: { name: string }) => name),
      )
    }
    const labels = pods.map(({ template }) => JSON.stringify(template.metadata.labels))
    for (const { kind, spec } of objects) {
      if (kind === 'Service') assert.ok(labels.includes(JSON.stringify(spec.selector)))
      if (kind === 'HorizontalPodAutoscaler') assert.ok(find('Deployment', spec.scaleTargetRef.name))
    }
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
