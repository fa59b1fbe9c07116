/** `mintick parse`, run as a separate process. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { finished, spawnCommand } from '../spawn.ts'
import { KALSHI, KRAKEN, STOOQ } from '../vendor-answers.ts'

describe('mintick parse', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'mintick-parse-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const fileOf = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await finished(spawnCommand({}, 'parse', ...args))
    const lines = stdout.split('\n').slice(0, -1)
    return { code, stderr, records: lines.map((line): Record<string, unknown> => JSON.parse(line)) }
  }

  test('prints the records of each file with its path', async () => {
    const [first, second] = [fileOf('a.json', KRAKEN), fileOf('b.json', KRAKEN)]
    const { code, records, stderr } = await run('kraken-ohlc', first, second)
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(
      records.map(({ file }) => file),
      [first, first, first, second, second, second],
    )
    assert.deepEqual(records[0], {
      file: first,
      openedAt: '2026-01-01T00:00:00.000Z',
      open: 100,
      high: 110.5,
      low: 95,
      close: 105,
      volume: 2.5,
    })
  })

  test('prints prediction markets in the form of the API', async () => {
    const { records } = await run('kalshi', fileOf('kalshi.json', KALSHI))
    assert.deepEqual([records[0]?.slug, records[0]?.probability], ['kalshi-kxfed-26mar-t4.00', 0.42])
  })

  test('lists bad rows on stderr and prints the others', async () => {
    const file = fileOf('bad-row.csv', `${STOOQ}2026-01-06,1,2,x,1,5\n`)
    const { code, records, stderr } = await run('daily-csv', file)
    assert.deepEqual([code, records.length], [0, 2])
    assert.equal(stderr, `mintick: ${file}: row 3 is left out: low is not readable: "x"\n`)
  })

  test('an unreadable file is a line with its error, exit status 1, and the others are printed', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const large = fileOf('large.json', '[')
    truncateSync(large, 2 ** 30)
    mkdirSync(join(folder, 'folder'))
    const bad: [string, RegExp][] = [
      [join(folder, 'missing'), /no such file/],
      [join(folder, 'folder'), /not a regular file/],
      [pipe, /not a regular file/],
      [large, /larger than 16 MB/],
      [fileOf('empty', ''), /is empty/],
      [
        fileOf(
          'junk',
          Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256),
        ),
        /is not JSON/,
      ],
      [fileOf('deep', '['.repeat(5_000_000)), /levels deep/],
      [fileOf('rows', '{"error":[],"result":{"X":[[1],[2]]}}'), /has 2 bad rows and no good one; row 1: openedAt/],
      [fileOf('page.html', '<!doctype html><title>429</title>'), /web page/],
    ]
    const good = fileOf('good.json', KRAKEN)
    const { code, records } = await run('kraken-ohlc', ...bad.map(([file]) => file), good)
    assert.equal(code, 1)
    assert.equal(records.length, bad.length + 3)
    for (const [index, [file, message]] of bad.entries()) {
      assert.equal(records[index]?.file, file)
      assert.match(String(records[index]?.error), message)
    }
  })

  test('a reader that stops early ends it quietly', async () => {
    const file = fileOf('many.csv', `Date,Open,High,Low,Close\n${'2026-01-02,1,2,1,2\n'.repeat(100_000)}`)
    const child = spawnCommand({}, 'parse', 'daily-csv', file)
    child.stdout?.once('data', () => child.stdout?.destroy())
    let stderr = ''
    child.stderr?.on('data', (text) => {
      stderr += text
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    assert.deepEqual([code, stderr], [0, ''])
  })

  test('an unknown kind or no file is an error that lists the kinds', async () => {
    for (const args of [['constructor', 'x'], ['kraken-ohlc'], []]) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 1)
      assert.match(stderr, /^mintick: parse needs one of .*kraken-ohlc, .* and files/)
    }
  })
})
