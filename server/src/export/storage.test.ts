import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FolderStorage } from './storage.ts'

test('a file that is removed while it is read is read to its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-test-'))
  const storage = new FolderStorage(folder)
  const bytes = Buffer.alloc(500_000, 'mintick')
  const path = join(folder, 'built.part')
  writeFileSync(path, bytes)
  await storage.put('entries/2026-03-01/a.parquet', { path, bytes: bytes.length, sha256: '' })
  const parts = (await storage.read('entries/2026-03-01/a.parquet', 10, bytes.length - 1))?.[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  for (let part = await parts?.next(); part && !part.done; part = await parts?.next()) {
    read.push(part.value)
    if (read.length === 1) await storage.remove('entries/2026-03-01/a.parquet')
  }
  assert.ok(read.length > 2)
  assert.deepEqual(Buffer.concat(read), bytes.subarray(10))
  assert.equal(await storage.read('entries/2026-03-01/a.parquet', 0, 1), undefined)
  rmSync(folder, { recursive: true })
})
