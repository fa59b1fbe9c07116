import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { batchedRead, sharedRead } from './shared-read.ts'

test('a call gets a result that was read after it, and concurrent calls share reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 30 }), async (scheduler, calls) => {
      let version = 0
      let reads = 0
      const read = sharedRead(() => {
        reads += 1
        const seen = version
        return scheduler.schedule(Promise.resolve(seen))
      })
      const results = Array.from({ length: calls }, () =>
        scheduler.schedule(Promise.resolve()).then(async () => {
          version += 1
          const atCall = version
          assert.ok((await read()) >= atCall)
        }),
      )
      await scheduler.waitFor(Promise.all(results))
      assert.ok(reads <= calls)
    }),
  )
})

test('calls at the same time need one read, and those during it another', async () => {
  const releases: (() => void)[] = []
  const read = sharedRead(() => new Promise<void>((resolve) => releases.push(resolve)))
  const first = [read(), read(), read()]
  await Promise.resolve()
  assert.equal(releases.length, 1)
  const later = [read(), read()]
  await Promise.resolve()
  assert.equal(releases.length, 1)
  releases[0]?.()
  await Promise.all(first)
  await new Promise(setImmediate)
  assert.equal(releases.length, 2)
  releases[1]?.()
  await Promise.all(later)
})

test('a failure is that of the calls that shared it', async () => {
  let fails = true
  const read = sharedRead(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve('yes')))
  await assert.rejects(Promise.all([read(), read()]), /no/)
  fails = false
  assert.equal(await read(), 'yes')
})

test('a batched call gets the value of its key, read after it', async () => {
  const key = fc.constantFrom('a', 'b', 'c', 'missing')
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(key, { minLength: 2, maxLength: 30 }), async (scheduler, keys) => {
      let version = 0
      let reads = 0
      const read = batchedRead((batch: string[]) => {
        reads += 1
        assert.equal(new Set(batch).size, batch.length)
        const found = batch.filter((one) => one !== 'missing').map((one) => [one, { one, version }] as const)
        return scheduler.schedule(Promise.resolve(new Map(found)))
      })
      const results = keys.map((one) =>
        scheduler.schedule(Promise.resolve()).then(async () => {
          version += 1
          const atCall = version
          const value = await read(one)
          assert.equal(value?.one, one === 'missing' ? undefined : one)
          assert.ok(value === undefined || value.version >= atCall)
        }),
      )
      await scheduler.waitFor(Promise.all(results))
      assert.ok(reads <= keys.length)
    }),
  )
})
