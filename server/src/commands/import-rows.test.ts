import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { OperatorError } from '../config.ts'
import { countLines, type Row, readRows } from './import-rows.ts'

describe('reading the rows of a file', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'mintick-rows-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const fileOf = (name: string, content: string | Uint8Array) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
  const read = async (name: string, content: string | Uint8Array) => {
    const rows: Row[] = []
    for await (const some of readRows(fileOf(name, content), () => {})) rows.push(...some)
    return rows.map(({ line, value, problem }) => [line, problem ?? value])
  }

  test('the format follows from the extension, or else from the content', async () => {
    const object = [1, { a: 1 }]
    for (const name of ['x.ndjson', 'x.jsonl', 'x.json', 'x.txt', 'x']) {
      assert.deepEqual(await read(name, '\ufeff{"a":1}\r\n'), [object], name)
    }
    for (const name of ['x.csv', 'x.tsv', 'x.txt', 'x']) {
      assert.deepEqual(await read(name, '\ufeffa,b\r\n1,2'), [[2, { a: '1', b: '2' }]], name)
    }
  })

  test('lists and answers of the API are as many rows', async () => {
    assert.deepEqual(await read('x.json', '[{"a":1},{"a":2}]\n{"success":true,"data":[{"a":3}],"meta":{}}\n'), [
      [1, { a: 1 }],
      [1, { a: 2 }],
      [2, { a: 3 }],
    ])
  })

  test('a line that is not readable refuses itself only', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const lines = ['{"a":1}', 'x', `{"a":${deep}}`, '', '{"a":2}'].map((line) => Buffer.from(`${line}\n`))
    const bytes = Buffer.concat([
      ...lines,
      Buffer.from([0x7b, 0xff, 0xfe, 10]),
      Buffer.alloc(17_000_000, 'x'),
      Buffer.from('\n{"a":3}'),
    ])
    assert.deepEqual(await read('x.ndjson', bytes), [
      [1, { a: 1 }],
      [2, 'it is not JSON'],
      [3, 'it has more than 30 levels'],
      [5, { a: 2 }],
      [6, 'it is not UTF-8; save the file as UTF-8'],
      [7, 'it is longer than 16 MB'],
      [8, { a: 3 }],
    ])
  })

  test('a file that is no text, or JSON over several lines, is refused as a whole', async () => {
    for (const [name, content, reason] of [
      ['x.csv', Buffer.from([0xff, 0xfe, 65, 0]), /is UTF-16; save it as UTF-8/],
      ['x.ndjson', Buffer.from([1, 2, 0, 3]), /is not a text file/],
      ['x.json', '[\n  {"a": 1}\n]\n', /JSON over several lines; write one object per line, .* jq -c/],
    ] as const) {
      await assert.rejects(read(name, content), (error) => error instanceof OperatorError && reason.test(error.message))
    }
  })

  test('counts lines, and names what cannot be read', async () => {
    assert.equal(await countLines(fileOf('n', 'a\nb\n\nc')), 4)
    assert.equal(await countLines('-'), 0)
    await assert.rejects(countLines(folder), /is a folder/)
    await assert.rejects(countLines(fileOf('empty', '')), /is empty/)
    await assert.rejects(countLines(join(folder, 'none')), /cannot read the file/)
  })
})
