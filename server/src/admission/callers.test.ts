import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../../test/harness.ts'
import type { Store } from '../store/store.ts'
import { Callers, ONE_VERSION } from './callers.ts'
import { DEMO_KEY } from './key.ts'

test('a caller is read once, unless its header is padded to fill the memory', async () => {
  let reads = 0
  const findByHash = async () => {
    reads += 1
    return { key: { isActive: true, expiresAt: null }, account: { isActive: true, planSlug: 'demo', overrides: {} } }
  }
  const store = { exclusive: true, keys: { findByHash } } as unknown as Store
  const callers = new Callers({ store, clock: new FakeClock(), pepper: 'pepper', versions: ONE_VERSION })
  for (const [header, expected] of [
    [`Bearer ${DEMO_KEY}`, 1],
    [`Bearer ${' '.repeat(1_000)}${DEMO_KEY}`, 3],
  ] as const) {
    for (const _ of [1, 2]) await callers.authenticate(header, 'client')
    assert.equal(reads, expected)
  }
})
