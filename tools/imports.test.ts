import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports } from './imports.ts'

function check(files: Record<string, string>): string[] {
  return checkImports(new Map(Object.entries(files).map(([path, text]) => [`server/src/${path}`, text])))
}

test('a listed folder, an own file, a package and a JSON file may be imported', () => {
  const text = `import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import type { Entry } from '../model/entries.ts'
import { page } from './page.ts'
import meta from '../../package.json' with { type: 'json' }
`
  assert.deepEqual(check({ 'store/entries.ts': text }), [])
})

test('every form of import is found, with its line', () => {
  const forms = [
    `import { a } from '../http/a.ts'`,
    `import type { A } from '../http/a.ts'`,
    `import a, * as all from '../http/a.ts'`,
    `import '../http/a.ts'`,
    `import {\n  a, // the caller's\n  type B,\n} from '../http/a.ts'`,
    `export * from '../http/a.ts'`,
    `export type { A } from '../http/a.ts'`,
    `const a = await import('../http/a.ts')`,
    `const a = await import(\n  '../http/a.ts'\n)`,
    `type A = import('../http/a.ts').A`,
  ]
  for (const form of forms) {
    const line = 2 + form.slice(0, form.indexOf('../http')).split('\n').length
    const text = `const url = 'https://x.example' // it's here\nexport const folder = '../http'\n${form}\n`
    assert.deepEqual(check({ 'store/b.ts': text }), [
      `server/src/store/b.ts:${line} imports http/a.ts, but may import only store, model, thread.ts, periodic-job.ts`,
    ])
  }
})

test('a file in a folder without a row is an error', () => {
  assert.deepEqual(check({ 'utils/a.ts': '', 'extra.ts': '' }), [
    'server/src/extra.ts:1 is in no row of the import table: add a row for extra.ts to tools/imports.ts',
    'server/src/utils/a.ts:1 is in no row of the import table: add a row for utils to tools/imports.ts',
  ])
})

test('config.ts imports little, main.ts all of them, and none imports from outside server/src', () => {
  assert.deepEqual(
    check({
      'config.ts': `import '../src/store/a.ts'`,
      'main.ts': `import './config.ts'\nimport './drivers/meter-redis.ts'\nimport '../test/harness.ts'`,
    }),
    [
      'server/src/config.ts:1 imports store/a.ts, but may import only model',
      'server/src/main.ts:3 imports server/test/harness.ts, but may import only files of server/src/',
    ],
  )
})

test('the workspace is imported by its name from few places, and imports nothing of the server', () => {
  const byName = `import type { SandboxStorage } from 'payment-sandbox'`
  assert.deepEqual(check({ 'store/sandbox.ts': byName, 'api/services.ts': byName, 'main.ts': byName }), [])
  assert.deepEqual(
    check({
      'billing/a.ts': byName,
      'main.ts': `import '../../payment-sandbox/src/a.ts'`,
      'model/a.ts': `import 'mintick'`,
    }),
    [
      'server/src/billing/a.ts:1 imports payment-sandbox, but may import only billing, plans, store, model, clock.ts, config.ts',
      'server/src/main.ts:1 imports payment-sandbox/src/a.ts, but may import only files of server/src/',
      'server/src/model/a.ts:1 imports mintick, but may import only model',
    ],
  )
  const text = `import './b.ts'\nimport Stripe from 'stripe'\nimport '../../server/src/clock.ts'\nimport 'mintick/src/clock.ts'`
  assert.deepEqual(checkImports(new Map([['payment-sandbox/src/a.ts', text]])), [
    'payment-sandbox/src/a.ts:3 imports clock.ts, but may import only payment-sandbox',
    'payment-sandbox/src/a.ts:4 imports mintick/src/clock.ts, but may import only payment-sandbox',
  ])
})

test('tests and files outside server/src are not checked', () => {
  const text = `import '../http/a.ts'`
  assert.deepEqual(checkImports(new Map([['server/test/a.ts', text]])), [])
  assert.deepEqual(check({ 'store/b.test.ts': text }), [])
})
