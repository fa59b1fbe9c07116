import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'yaml'
import { endpoints } from '../../src/api/index.ts'
import { NO_ENDPOINT } from '../../src/model/request-log.ts'
import { onEveryEngine, serviceForSuite, TestService } from '../harness.ts'
import { hasPrometheus, OPS, promtool } from '../prometheus.ts'
import { freePort, killHard } from '../spawn.ts'

/** Names that Prometheus adds itself. */
const OF_PROMETHEUS = ['up']

onEveryEngine('metrics', (engine) => {
  const service = serviceForSuite(engine)
  const scrape = async (from = service) => String((await from.call('/metrics', { headers: tokenOf(from) })).body)

  test('need the operator token on the public port', async () => {
    assert.equal((await service.call('/metrics')).status, 401)
    const { key } = await service.open()
    assert.equal((await service.call('/metrics', { headers: { authorization: `Bearer ${key}` } })).status, 401)
    const { status, headers } = await service.call('/metrics', { headers: tokenOf(service) })
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  test('count requests by route and status, verdicts, credits and commits', async () => {
    const one = service.alone()
    const { key } = await one.open('free', 2)
    const before = samplesOf(await scrape(one))
    const statuses: number[] = []
    for (let call = 0; call < 20; call += 1) statuses.push((await one.api('/entries?limit=2', key)).status)
    await one.api('/entries/no-such-id', key)
    await one.mintick.admission.requestWriter.drain()
    const after = samplesOf(await scrape(one))
    const added = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    const times = (status: number) => statuses.filter((each) => each === status).length
    assert.deepEqual([times(200) > 0, times(402) > 0, times(429) > 0], [true, true, true])
    for (const status of [200, 402, 429]) {
      assert.equal(added(`mintick_requests_total{route="GET /entries",status="${status}"}`), times(status))
    }
    assert.equal(added('mintick_request_duration_seconds_count{route="GET /entries"}'), 20)
    assert.equal(added('mintick_request_duration_seconds_bucket{route="GET /entries",le="+Inf"}'), 20)
    assert.equal(added('mintick_admissions_total{verdict="admitted"}'), times(200))
    assert.equal(added('mintick_admissions_total{verdict="out_of_credits"}'), times(402))
    assert.equal(added('mintick_admissions_total{verdict="rate_limited"}'), times(429) + 1)
    assert.equal(added('mintick_credits_charged_total'), 2)
    assert.equal(added('mintick_commit_requests_total'), times(200) + times(402))
    assert.equal(after.get('mintick_ready'), 1)
    assert.ok((after.get('mintick_store_bytes{database="mintick"}') ?? 0) > 0)
  })

  test('name neither paths nor accounts, whatever is called', async () => {
    const { key, id } = await service.openUnlimited()
    for (const path of [
      '/entries/secret-path',
      `/account/${id}`,
      '/nowhere/1',
      '/nowhere/2',
      '/assets/AAPL?q=secret-query',
    ]) {
      await service.api(path, key)
    }
    const text = await scrape()
    for (const word of ['secret', 'nowhere', 'AAPL', id, key]) assert.ok(!text.includes(word), word)
    const known = new Set([NO_ENDPOINT, ...endpoints.map(({ method, path }) => `${method} ${path}`)])
    const routes = [...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route)
    assert.deepEqual(
      routes.filter((route) => !known.has(route)),
      [],
    )
  })

  test('have every name that the dashboard and the alerts use', async () => {
    const text = await scrape()
    const names = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : name,
      ),
    )
    const { panels } = JSON.parse(readFileSync(join(OPS, 'grafana-dashboard.json'), 'utf8'))
    const { groups } = parse(readFileSync(join(OPS, 'alerts.yml'), 'utf8'))
    for (const { alert, annotations } of groups[0].rules) {
      assert.deepEqual(Object.keys(annotations), ['summary', 'description'], alert)
    }
    const expressions: string[] = [
      ...panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
      ...groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr)),
    ]
    const used = expressions.flatMap((expr) => expr.match(/\b(?:mintick|process|nodejs)_[a-z_]+\b|\bup\b/g) ?? [])
    assert.ok(used.length > 20)
    assert.deepEqual(
      [...new Set(used)].filter((name) => !names.has(name) && !OF_PROMETHEUS.includes(name)),
      [],
    )
  })

  test('pass the check of Prometheus', { skip: !hasPrometheus() && 'no prometheus' }, async () => {
    assert.deepEqual(promtool(['check', 'metrics'], await scrape()), { status: 0, output: '' })
  })
})

describe('metrics on ADMIN_PORT', () => {
  test('need no token there, like /ready and /health, and are not on PORT', async () => {
    const service = await TestService.start('sqlite', { ADMIN_PORT: '0' })
    const { app, adminApp } = service.mintick
    assert.equal((await app.inject({ url: '/metrics', headers: tokenOf(service) })).statusCode, 401)
    const open = await adminApp?.inject('/metrics')
    assert.deepEqual([open?.statusCode, open?.body.includes('mintick_ready 1')], [200, true])
    for (const path of ['/ready', '/health']) {
      for (const port of [app, adminApp]) assert.equal((await port?.inject(path))?.statusCode, 200, path)
    }
    assert.equal((await adminApp?.inject('/admin/audit'))?.statusCode, 401)
    await service.stop()
  })
})

describe('the configuration for Prometheus', { skip: !hasPrometheus() && 'no prometheus' }, () => {
  test('is valid', () => {
    for (const [check, file] of [
      ['config', 'prometheus.yml'],
      ['rules', 'alerts.yml'],
    ] as const) {
      const { status, output } = promtool(['check', check, file])
      assert.equal(status, 0, output)
    }
  })

  test('lets a real one scrape the service and load the alerts', async () => {
    const service = await TestService.start('sqlite', { ADMIN_PORT: '0' })
    const url = await service.mintick.adminApp?.listen({ port: 0, host: '127.0.0.1' })
    const folder = mkdtempSync(join(tmpdir(), 'mintick-prometheus-'))
    const port = await freePort()
    const config = readFileSync(join(OPS, 'prometheus.yml'), 'utf8')
      .replace('127.0.0.1:3001', new URL(url ?? '').host)
      .replace('15s', '1s')
    writeFileSync(join(folder, 'prometheus.yml'), config)
    writeFileSync(join(folder, 'alerts.yml'), readFileSync(join(OPS, 'alerts.yml')))
    const child = startPrometheus(folder, port)
    try {
      const ask = async (path: string) =>
        (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).then(
          // Before it is ready, it answers 503 in plain text.
          (answer) => (answer.ok ? answer.json() : undefined),
          () => undefined,
        )) as
          // biome-ignore lint/suspicious/noExplicitAny: answers of Prometheus
          any
      let ready: string | undefined
      while (ready === undefined) {
        await delay(200)
        if (child.exitCode !== null) throw new Error('Prometheus did not start')
        ready = (await ask('query?query=mintick_ready'))?.data?.result?.[0]?.value?.[1]
      }
      assert.equal(ready, '1')
      const { data } = await ask('rules')
      const rules = data.groups[0].rules as { health: string; name: string }[]
      assert.equal(rules.length, 8)
      assert.deepEqual(
        rules.filter(({ health }) => health === 'err'),
        [],
      )
    } finally {
      await killHard(child)
      rmSync(folder, { recursive: true })
      await service.stop()
    }
  })
})

function startPrometheus(folder: string, port: number): ChildProcess {
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  return spawn('prometheus', args, { stdio: 'ignore' })
}

const tokenOf = ({ mintick }: TestService) => ({ authorization: `Bearer ${mintick.adminToken}` })

function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}
