import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listDeeper, shareOf } from './deeper-files.ts'

test('a file does more in a deep run if it, or a helper of it, uses the depth or properties', () => {
  const sources: Record<string, string> = {
    'server/src/a.test.ts': `import { runs } from '../test/depth.ts'`,
    'server/src/b.test.ts': `import { play } from '../test/money/play.ts'\nimport { b } from './b.ts'`,
    'server/src/c.test.ts': `import fc from 'fast-check'`,
    'server/src/d.test.ts': `import { b } from './b.ts'\nimport 'node:test'`,
    'server/src/b.ts': `import { d } from './d.ts'`,
    'server/src/d.ts': `import type { B } from './b.ts'\nexport const depth = 'depth.ts'`,
    'server/test/money/play.ts': `const { command } = await import('./commands.ts')`,
    'server/test/money/commands.ts': `import fc from 'fast-check'`,
  }
  const tests = Object.keys(sources).filter((path) => path.endsWith('.test.ts'))
  const deeper = listDeeper(tests, (path) => sources[path] ?? assert.fail(path))
  assert.deepEqual(deeper, ['server/src/a.test.ts', 'server/src/b.test.ts', 'server/src/c.test.ts'])
})

test('the files of the repository are told apart', () => {
  const [deep, quick] = ['server/src/billing/money.test.ts', 'server/src/trace.test.ts']
  assert.deepEqual(listDeeper([deep, quick]), [deep])
})

test('the shares have every file once and are of about the same size', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.integer({ min: 1, max: 9 }), (files, count) => {
      const shares = Array.from({ length: count }, (_, index) => shareOf(files, index + 1, count))
      assert.deepEqual(new Set(shares.flat()), new Set(files))
      const sizes = shares.map(({ length }) => length)
      assert.equal(shares.flat().length, files.length)
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
    }),
  )
})
