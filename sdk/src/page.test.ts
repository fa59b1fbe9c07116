import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Mintick } from './index.ts'

test('pages that have been iterated are not held', async () => {
  let pages = 0
  const fetch = async () => {
    pages += 1
    const data = Array.from({ length: 10 }, (_, index) => ({ id: `${pages}.${index}` }))
    return Response.json({ success: true, data, meta: { nextCursor: pages < 50 ? `${pages}` : null } })
  }
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const seen: WeakRef<object>[] = []
  for await (const entry of new Mintick({ url: 'http://mintick.example', apiKey: 'mtk_key', fetch }).entries.list()) {
    seen.push(new WeakRef(entry))
    if (seen.length % 100 !== 5) continue
    await new Promise(setImmediate) // a WeakRef keeps its object until the current task ends
    collect()
    const held = seen.filter((ref) => ref.deref() !== undefined)
    assert.ok(held.length <= 20, `${held.length} of ${seen.length} items are held: the first page and the current one`)
  }
  assert.equal(seen.length, 500)
})
