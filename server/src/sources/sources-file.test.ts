import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { OperatorError } from '../config.ts'
import { findDeadFeed, PRESETS, readSource, readSources } from './sources-file.ts'

describe('SOURCES', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sources-file-'))
  const path = join(folder, 'sources.yaml')
  after(() => rmSync(folder, { recursive: true }))

  const read = (text: string | Buffer) => {
    writeFileSync(path, text)
    return readSources(path)
  }

  const problemsOf = (work: () => unknown): string[] => {
    try {
      work()
    } catch (error) {
      assert.ok(error instanceof OperatorError, String(error))
      return error.message.replaceAll(`${path}:`, '').split('\n')
    }
    return assert.fail('it was accepted')
  }

  for (const preset of PRESETS) {
    test(`the preset ${preset} is valid, and none of its feeds is known to be dead`, () => {
      const { sources, allowHosts } = readSources(preset, { edgar: { contact: 'me@example.com' } })
      assert.ok(sources.length > 0)
      assert.deepEqual(allowHosts, [])
      for (const { key, by } of sources) {
        assert.match(by, /^preset \w+$/)
        assert.equal(findDeadFeed(key), undefined, key)
      }
    })
  }

  test('reads YAML and JSON; pairs become sources of their own', () => {
    const settings = {
      allowHosts: ['intranet'],
      sources: [
        { kind: 'feed', url: 'https://a.example/feed', country: 'NO' },
        { kind: 'kraken', pairs: ['BTC/USD', 'ETH/USD'] },
      ],
    }
    const yaml = `
allowHosts: [intranet]
sources:
  - kind: feed
    url: https://a.example/feed
    country: NO
  - { kind: kraken, pairs: [BTC/USD, ETH/USD] }
`
    const expected = {
      allowHosts: ['intranet'],
      sources: [
        ['https://a.example/feed', { url: 'https://a.example/feed', country: 'NO' }],
        ['kraken:BTC/USD', { pairs: ['BTC/USD'] }],
        ['kraken:ETH/USD', { pairs: ['ETH/USD'] }],
      ],
    }
    for (const text of [yaml, JSON.stringify(settings), `\ufeff${JSON.stringify(settings, null, 2)}`]) {
      const { sources, allowHosts } = read(text)
      assert.deepEqual({ allowHosts, sources: sources.map(({ key, options }) => [key, options]) }, expected)
    }
  })

  test('own sources win over those of presets', () => {
    const [preset] = readSources('news').sources
    const { sources } = read(`
presets: [news]
sources:
  - kind: feed
    url: ${preset?.key}
    publisher: Mine
`)
    const mine = sources.filter(({ key }) => key === preset?.key)
    assert.deepEqual(
      mine.map(({ by, options }) => [by, options]),
      [[path, { url: preset?.key, publisher: 'Mine' }]],
    )
  })

  const INVALID: [name: string, text: string, problems: RegExp[]][] = [
    [
      'an unknown field of a source',
      'sources:\n  - kind: feed\n    url: https://a.example\n    colour: red',
      [/^4: sources\[0\]\.colour is not a known field$/],
    ],
    ['an unknown field of the file', 'source: []', [/^1: source is not a known field$/]],
    ['a field that is missing', 'sources:\n  - kind: feed\n    publisher: A', [/^2: sources\[0\]\.url is required$/]],
    ['a wrong kind', 'sources:\n\n  - kind: twitter', [/^3: sources\[0\]\.kind must be one of feed, kraken/]],
    ['no kind', 'sources:\n  - url: https://a.example', [/^2: sources\[0\]\.kind is required$/]],
    ['a source that is a text', 'sources:\n  - https://a.example', [/^2: sources\[0\] must be object$/]],
    [
      'an address that is none',
      'sources:\n  - kind: feed\n    url: ftp://a.example',
      [/^3: sources\[0\]\.url has the wrong format$/],
    ],
    [
      'an address without a host',
      'sources:\n  - kind: feed\n    url: "http://"',
      [/^3: sources\[0\]\.url is not an address$/],
    ],
    [
      'a wrong pair',
      'sources:\n  - kind: kraken\n    pairs:\n      - BTC/USD\n      - btcusd',
      [/^5: sources\[0\]\.pairs\[1\] has the wrong format$/],
    ],
    [
      'the same source twice',
      'sources:\n  - { kind: kraken, pairs: [BTC/USD] }\n  - { kind: kraken, pairs: [ETH/USD, BTC/USD] }',
      [/^3: sources\[1\] is the same source as in line 2$/],
    ],
    ['an unknown preset', 'presets: [everything]', [/^1: presets\[0\] must be one of crypto/]],
    ['a field twice', 'presets: []\npresets: []', [/^2: Map keys must be unique/]],
    ['bad YAML', 'sources:\n  - kind: "feed', [/^2: Missing closing "quote/]],
    ['a text', 'just some words', [/^1: the file must have fields such as sources$/]],
    ['a list', '- kind: feed', [/^1: the file must have fields such as sources$/]],
    [
      'two problems',
      'sources:\n  - kind: feed\n  - kind: kraken',
      [/^2: .*url is required$/, /^3: .*pairs is required$/],
    ],
    ['an alias bomb', bomb(), [/^1: Excessive alias count/]],
  ]
  for (const [name, text, expected] of INVALID) {
    test(`${name} is refused with line, field and reason`, () => {
      const problems = problemsOf(() => read(text))
      for (const [place, pattern] of expected.entries()) assert.match(problems[place] ?? '', pattern)
    })
  }

  test('at most ten problems are listed', () => {
    const lines = Array.from({ length: 30 }, () => '  - kind: feed')
    assert.equal(problemsOf(() => read(['sources:', ...lines].join('\n'))).length, 10)
  })

  test('a file that is empty or has comments alone means no sources', () => {
    for (const text of ['', '# nothing yet\n', '{}']) assert.deepEqual(read(text), { sources: [], allowHosts: [] })
  })

  test('bytes that are no text are refused', () => {
    problemsOf(() => read(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 254, 0, 1])))
  })

  test('no file, a folder, and an unknown preset', () => {
    assert.match(problemsOf(() => readSources(join(folder, 'none.yaml'))).join(), /neither a file nor a preset/)
    assert.match(problemsOf(() => readSources('everything')).join(), /presets are crypto, filings, news, odds, starter/)
    assert.match(problemsOf(() => readSources(folder)).join(), /cannot be read.*EISDIR/)
  })

  test('filings of EDGAR need a contact', () => {
    assert.match(problemsOf(() => readSources('filings')).join(), /contact is required: .*EDGAR_CONTACT/)
    assert.deepEqual(readSources('filings', { edgar: { contact: 'me@example.com' } }).sources[0]?.options, {
      contact: 'me@example.com',
    })
    assert.match(JSON.stringify(readSource({ kind: 'edgar', contact: 'me' })), /wrong format: .*email address/)
  })

  test('one source by its options, as the command adds it', () => {
    assert.deepEqual(readSource({ kind: 'feed', url: 'https://A.example' }), {
      specs: [{ key: 'https://a.example/', kind: 'feed', options: { url: 'https://A.example' } }],
    })
    for (const given of [{}, { kind: 'feed' }, { kind: 'feed', url: 'http://' }, { kind: 'feed', url: 'http://[' }]) {
      assert.ok('problems' in readSource(given), JSON.stringify(given))
    }
  })
})

/** Each line refers to the one before it ten times. */
function bomb(): string {
  const lines = Array.from({ length: 8 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`)
  return ['a0: &a0 [x]', ...lines, 'sources: *a8'].join('\n')
}
