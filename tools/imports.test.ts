import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports } from './imports.ts'

function check(files: Record<string, string>): string[] {
  return checkImports(new Map(Object.entries(files).map(([path, text]) => [`server/src/${path}`, text])))
}

test('an allowed import, an own file, a package and JSON hold', () => {
  const text = `
    import { readFileSync } from 'node:fs'
    import fastify from 'fastify'
    import type { Entry } from '../model/entries.ts'
    import { page } from './page.ts'
    import meta from '../../package.json' with { type: 'json' }
  `
  assert.deepEqual(check({ 'store/entries.ts': text }), [])
})

test('every form of import is seen, with its line', () => {
  const forms = [
    `import { a } from '../http/a.ts'`,
    `import type { A } from '../http/a.ts'`,
    `import a, * as all from "../http/a.ts"`,
    `import '../http/a.ts'`,
    `import {\n  a, // the caller's\n  type B,\n} from '../http/a.ts'`,
    `export * from '../http/a.ts'`,
    `export type { A } from '../http/a.ts'`,
    `const a = await import('../http/a.ts')`,
    `const a = await import(\n  \`../http/a.ts\`\n)`,
    `type A = import('../http/a.ts').A`,
  ]
  for (const form of forms) {
    const line = 2 + form.slice(0, form.indexOf('../http')).split('\n').length
    const text = `const url = 'https://x.example' // it's here\nconst tick = /[\`'"/]\\/*/\n${form}\n`
    assert.deepEqual(check({ 'store/b.ts': text }), [
      `server/src/store/b.ts:${line} imports http/a.ts: allowed are store, model, thread.ts, every.ts`,
    ])
  }
})

test('an import in a comment does not count', () => {
  const text = `// import a from '../http/a.ts'\n/* import('../http/a.ts')\n process.env */\nexport const b = 1 / 2 // '`
  assert.deepEqual(check({ 'store/b.ts': text }), [])
})

test('a file of no row is refused', () => {
  assert.deepEqual(check({ 'utils/a.ts': '', 'extra.ts': '' }), [
    'server/src/extra.ts:1 belongs to no row of the import rule (tools/imports.ts): declare extra.ts',
    'server/src/utils/a.ts:1 belongs to no row of the import rule (tools/imports.ts): declare utils',
  ])
})

test('config.ts imports nothing of ours, main.ts all of it, nobody what lies outside server/src', () => {
  assert.deepEqual(
    check({
      'config.ts': `import '../src/model/a.ts'`,
      'main.ts': `import './config.ts'\nimport './drivers/meter-redis.ts'\nimport '../test/harness.ts'`,
    }),
    [
      'server/src/config.ts:1 imports model/a.ts: allowed are none',
      'server/src/main.ts:3 imports server/test/harness.ts: allowed are all of server/src/',
    ],
  )
})

test('tests and files outside server/src are exempt', () => {
  const text = `import '../http/a.ts'\nprocess.env.HOME`
  assert.deepEqual(checkImports(new Map([['server/test/a.ts', text]])), [])
  assert.deepEqual(check({ 'store/b.test.ts': text }), [])
})

test('only config.ts reads process.env', () => {
  const reads = [
    'process.env.HOME',
    `process['env']`,
    `\`\${process.env.HOME}/data\``,
    'const { env } = process',
    `import { env } from 'node:process'`,
  ]
  for (const read of reads) {
    assert.deepEqual(check({ 'config.ts': read }), [])
    assert.deepEqual(check({ 'main.ts': `\n${read}` }), [
      'server/src/main.ts:2 reads process.env: only server/src/config.ts may',
    ])
  }
})

test('a cycle is told once, at the import that closes it', () => {
  assert.deepEqual(
    check({
      'model/a.ts': `import './b.ts'`,
      'model/b.ts': `import './c.ts'`,
      'model/c.ts': `\nimport type { A } from './a.ts'`,
      'model/d.ts': `import './b.ts'`,
    }),
    [
      'server/src/model/c.ts:2 imports model/a.ts: closes the cycle model/a.ts -> model/b.ts -> model/c.ts -> model/a.ts',
    ],
  )
})
