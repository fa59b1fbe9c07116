import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { finishSwap, swapFolder, unpackedFolder } from './folder-swap.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const BEFORE = 'before-2026-01-31T12-00-00.000Z'
const OLD = { 'a.sqlite': 'old a', 'key-pepper': 'old pepper', 'only-old': 'x' }
const NEW = { 'a.sqlite': 'new a', 'key-pepper': 'new pepper', 'only-new': 'y' }

describe('exchanging the files of a data folder', () => {
  for (const old of [OLD, {}]) {
    test(`a crash after any step leaves the old files or is completed, with ${Object.keys(old).length} old files`, () => {
      let crashes = 0
      for (let step = 1; ; step += 1) {
        const folder = mkdtempSync(join(tmpdir(), 'mintick-test-'))
        write(folder, { 'mintick.lock': '', ...old })
        mkdirSync(unpackedFolder(folder))
        write(unpackedFolder(folder), NEW)
        let steps = 0
        const crash = () => {
          steps += 1
          if (steps === step) throw new Error('as if killed here')
        }
        let isWhole = true
        try {
          swapFolder(folder, NOW, crash)
        } catch {
          isWhole = false
          crashes += 1
        }
        finishSwap(folder)
        assert.deepEqual(read(folder), { 'mintick.lock': '', ...NEW })
        const aside = readdirSync(folder).includes(BEFORE) ? read(join(folder, BEFORE)) : {}
        assert.deepEqual(aside, old)
        assert.deepEqual(
          readdirSync(folder).filter((name) => /^(?:incoming|arriving|unpacked)/.test(name)),
          [],
        )
        rmSync(folder, { recursive: true })
        if (isWhole) break
      }
      assert.equal(crashes, 2 + Object.keys(old).length + Object.keys(NEW).length)
    })
  }

  test('files that are not complete yet are ignored', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintick-test-'))
    write(folder, OLD)
    mkdirSync(unpackedFolder(folder))
    write(unpackedFolder(folder), NEW)
    assert.equal(finishSwap(folder), undefined)
    assert.deepEqual(read(folder), OLD)
    rmSync(folder, { recursive: true })
  })
})

function write(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

function read(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]))
}
