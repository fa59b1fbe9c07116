import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import type { Db } from '../db.ts'
import { joinedWords, parseSearch, searchWords } from './search.ts'
import { formsOf } from './word-forms.ts'

const ONLY_LETTERS_AND_DIGITS = /^[\p{L}\p{N}]+$/u

/** Texts of every script, with the signs that mean something to FTS5, to tsquery or to our own syntax. */
const someText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...'"\'-*^:(){}[]+~&|!<>\\,;.%_$#@?=/ \n\t\0'),
        fc.constantFrom(
          'NEAR(',
          'AND',
          'OR',
          'NOT',
          'or',
          '<->',
          ':*',
          "'",
          "''",
          '\\',
          '-"',
          'words:',
          '$1',
          '--',
          '/*',
        ),
        fc.constantFrom('gold', 'Öl', 'café', '日本', 'データ', '한국어', 'Ελλάς', '𐌰𐌱', 'ﬁ', '½', '²', 'x̂', '\ud800'),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
)

describe('wordsOf', () => {
  test('gives nothing but letters and digits, in pieces of at most 64, for any text', () => {
    fc.assert(
      fc.property(someText, (text) => {
        for (const word of searchWords(text)) {
          assert.match(word, ONLY_LETTERS_AND_DIGITS)
          assert.ok(word.length <= 64 && word.isWellFormed())
        }
      }),
      { numRuns: runs(200, 3_000) },
    )
  })

  test('words cut from words are the same words', () => {
    fc.assert(
      fc.property(someText, (text) => {
        const words = searchWords(text)
        assert.deepEqual(searchWords(words.join(' ')), words)
      }),
      { numRuns: runs(200, 3_000) },
    )
  })

  test('joined by spaces they are the same words', () => {
    const someAscii = fc.string({
      unit: fc.constantFrom(...'aZ09 .-\n\0', 'word'.repeat(9), 'é’«', '日', 'ｶﾞ', '𐌰'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(fc.oneof(someText, someAscii), (text) =>
        assert.equal(joinedWords(text), searchWords(text).join(' ')),
      ),
      { numRuns: runs(1_000, 5_000) },
    )
  })

  test('joined they are the same words for each character, alone, in a word and after a mark', () => {
    for (let code = 0; code < 65_536; code += 1) {
      const character = String.fromCharCode(code)
      const text = `${character} a${character}b Σ${character}\u0301\u0327${character}`
      assert.equal(joinedWords(text), searchWords(text).join(' '), code.toString(16))
    }
  })

  test('case and composition of a text do not matter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          assert.deepEqual(searchWords(text.normalize(form)), searchWords(text))
      }),
    )
    assert.deepEqual(searchWords('GOLD Öl ÉLAN'), searchWords('gold öl élan'))
  })

  const examples: [string, string[]][] = [
    ['', []],
    [' \n\t.,;!?', []],
    ['Gold rises 3.5% to $2,000', ['gold', 'rises', '3', '5', 'to', '2', '000']],
    ["Moody's AT&T U.S. S&P-500", ['moody', 's', 'at', 't', 'u', 's', 's', 'p', '500']],
    ['Zürich, São Paulo, Łódź, naïve', ['zurich', 'sao', 'paulo', 'łodz', 'naive']],
    ['İstanbul STRASSE Straße', ['istanbul', 'strasse', 'straße']],
    ["ΕΛΛΆΣ ελλας Ελλάσ'", ['ελλασ', 'ελλασ', 'ελλασ']],
    ['ﬁnance ２０２６ Ⅳ ½', ['finance', '2026', 'iv', '1', '2']],
    ['日本銀行', ['日', '本', '銀', '行']],
    ['NVIDIA株が上昇', ['nvidia', '株', 'か', '上', '昇']],
    ['⺀ ⽇ 〇 々', ['日', '〇', '々']],
    ['ｶﾞｽ ガス', ['カ', 'ス', 'カ', 'ス']],
    ['a_b', ['a', 'b']],
    ['\ud800gold\udc00', ['gold']],
    ['gold\0silver', ['gold', 'silver']],
  ]
  for (const [text, words] of examples) {
    test(`${JSON.stringify(text)} is cut into ${words.length} words`, () => assert.deepEqual(searchWords(text), words))
  }

  test('a word of more than 64 characters keeps its first 64, and no half of a character', () => {
    assert.deepEqual(searchWords('a'.repeat(1_000)), ['a'.repeat(64)])
    assert.deepEqual(searchWords(`a${'𐌰'.repeat(100)}`), [`a${'𐌰'.repeat(31)}`])
  })

  test('a megabyte without a space is cut in an instant', () => {
    const cpuMs = cpuTimer()
    for (const unit of ['a', 'é', '日', '-', 'a"', '\u0301', '\ud800'])
      searchWords(unit.repeat(1_000_000 / unit.length))
    assert.ok(cpuMs() < 5_000)
  })
})

describe('parseSearch', () => {
  test('reads any text; undefined exactly when it asks for nothing', () => {
    fc.assert(
      fc.property(someText, (text) => {
        const terms = parseSearch(text)
        if (terms === undefined) return
        const { groups, excluded } = terms
        assert.ok(groups.length + excluded.length > 0)
        const phrases = [...groups.flat(), ...excluded]
        for (const group of groups) assert.ok(group.length > 0)
        for (const phrase of phrases) assert.ok(phrase.length > 0)
        for (const word of phrases.flat()) assert.match(word.replace(/\*$/, ''), ONLY_LETTERS_AND_DIGITS)
        assert.ok(phrases.flat().length <= 32)
      }),
      { numRuns: runs(200, 3_000) },
    )
  })

  test('a text without signs asks for each of its words', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmn0123456789'), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 32 }), (words) => {
        assert.deepEqual(parseSearch(words.join(' ')), { groups: words.map((each) => [[each]]), excluded: [] })
      }),
    )
  })

  const [a, b, c] = [['a'], ['b'], ['c']]
  const examples: [string, ReturnType<typeof parseSearch>][] = [
    ['', undefined],
    ['  ', undefined],
    ['"', undefined],
    ['""', undefined],
    ['-', undefined],
    ['- -- -"" "-"', undefined],
    ['*', undefined],
    ['or', undefined],
    ['AND', undefined],
    ['or OR AND', undefined],
    ['a b', { groups: [[a], [b]], excluded: [] }],
    ['A AND B', { groups: [[a], [b]], excluded: [] }],
    ['a and b', { groups: [[a], [['and']], [b]], excluded: [] }],
    ['"a b" c', { groups: [[['a', 'b']], [c]], excluded: [] }],
    ['"a b', { groups: [[['a', 'b']]], excluded: [] }],
    ['a"b c"', { groups: [[a], [['b', 'c']]], excluded: [] }],
    ['a-b', { groups: [[['a', 'b']]], excluded: [] }],
    ['a -b', { groups: [[a]], excluded: [b] }],
    ['a -"b c"', { groups: [[a]], excluded: [['b', 'c']] }],
    ['a -"b c', { groups: [[a]], excluded: [['b', 'c']] }],
    ['-a', { groups: [], excluded: [a] }],
    ['--a', { groups: [], excluded: [a] }],
    ['- a', { groups: [[a]], excluded: [] }],
    ['a or b', { groups: [[a, b]], excluded: [] }],
    ['a OR b Or c', { groups: [[a, b, c]], excluded: [] }],
    ['a or b c', { groups: [[a, b], [c]], excluded: [] }],
    ['a b or c', { groups: [[a], [b, c]], excluded: [] }],
    ['a or "b c"', { groups: [[a, ['b', 'c']]], excluded: [] }],
    ['or a', { groups: [[a]], excluded: [] }],
    ['a or', { groups: [[a]], excluded: [] }],
    ['a or or b', { groups: [[a, b]], excluded: [] }],
    ['a or -b c', { groups: [[a], [c]], excluded: [b] }],
    ['"or"', { groups: [[['or']]], excluded: [] }],
    ['"AND"', { groups: [[['and']]], excluded: [] }],
    ['-or', { groups: [], excluded: [['or']] }],
    ['NEAR(a b, 5)', { groups: [[['near', 'a']], [b], [['5']]], excluded: [] }],
    ['go* "go*" -si*', { groups: [[['go*']], [['go']]], excluded: [['si*']] }],
    ['interest-ra*', { groups: [[['interest', 'ra*']]], excluded: [] }],
    ['a* ^b words:c', { groups: [[a], [b], [['words', 'c']]], excluded: [] }],
    ['{a b} : (c)', { groups: [[a], [b], [c]], excluded: [] }],
    ["a' | 'b & !c", { groups: [[a], [b], [c]], excluded: [] }],
    ['a <-> b:*', { groups: [[a], [b]], excluded: [] }],
    ['NOT a', { groups: [[['not']], [a]], excluded: [] }],
    ['日本 銀行', { groups: [[['日', '本']], [['銀', '行']]], excluded: [] }],
    ['-日本 Café', { groups: [[['cafe']]], excluded: [['日', '本']] }],
    ['a\u3000b', { groups: [[a], [b]], excluded: [] }],
    ['“a b”', { groups: [[a], [b]], excluded: [] }],
  ]
  for (const [text, terms] of examples) {
    test(`${JSON.stringify(text)} is understood`, () => assert.deepEqual(parseSearch(text), terms))
  }

  test('words that are not quoted are asked for in all forms, up to the tenth word', () => {
    const twice = (word: string) => [word, `${word}s`]
    assert.deepEqual(parseSearch('a "b" -c', { formsOf: twice }), {
      groups: [[['a'], ['as']], [['b']]],
      excluded: [['c'], ['cs']],
    })
    assert.deepEqual(parseSearch('rate-cut or d', { formsOf: twice })?.groups, [
      [['rate', 'cut'], ['rate', 'cuts'], ['d'], ['ds']],
    ])
    const many = parseSearch('w '.repeat(20), { formsOf: twice })?.groups
    assert.deepEqual(
      many?.map(({ length }) => length),
      [...Array(10).fill(2), ...Array(10).fill(1)],
    )
  })

  test('of a very long search the first 32 words count', () => {
    const terms = parseSearch(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))
    assert.equal(terms?.groups.length, 32)
    assert.deepEqual(parseSearch(`"${'w '.repeat(100)}"`)?.groups, [[Array(32).fill('w')]])
  })
})

/** The only letters that its tokenizer still takes for marks: vowels of New Tai Lue and two Vedic signs. */
const UNKNOWN_TO_SQLITE = /[\u19b0-\u19c9\u1cf2\u1cf3]/

onEveryEngine('the search of the engine', (engine) => {
  let db: Db
  let close: () => Promise<void>
  before(async () => {
    ;({ db, close } = await openTestDb(engine))
  })
  after(() => close())

  async function isFound(rowid: number, text: string): Promise<boolean> {
    const terms = parseSearch(text, { formsOf })
    if (terms === undefined) return false
    const { hits, queryValue } = db.dialect.search
    const rows = await db.query<{ seq: number }>(`select seq from ${hits('entries', '$1')} h`, [queryValue(terms)])
    return rows.some(({ seq }) => seq === rowid)
  }

  let rows = 0
  async function index(text: string): Promise<number> {
    rows += 1
    await db.transaction((tx) =>
      tx.query('insert into entries_search (rowid, words) values ($1, $2)', [
        rows,
        db.dialect.search.indexValue(joinedWords(text)),
      ]),
    )
    return rows
  }

  test('takes whatever a caller may type', async () => {
    await fc.assert(
      fc.asyncProperty(someText, async (text) => {
        await isFound(0, text)
      }),
      { numRuns: runs(60, 500) },
    )
  })

  test('finds every text by the whole of it, quoted', async () => {
    await fc.assert(
      fc.asyncProperty(someText, async (text) => {
        const words = searchWords(text).slice(0, 32)
        if (words.length === 0 || words.some((word) => UNKNOWN_TO_SQLITE.test(word))) return
        assert.ok(await isFound(await index(text), `"${words.join(' ')}"`), JSON.stringify(words))
      }),
      { numRuns: runs(30, 300) },
    )
  })

  test('finds a text by its words, phrases and alternatives, and not by others', async () => {
    const row = await index("Bank of Japan raises rates; Zürich's markets calm. 日本銀行が利上げ. Τράπεζα της Ελλάδος")
    for (const text of [
      'japan rates',
      'JAPAN Rates',
      '"bank of japan"',
      '"bank of',
      'zurich',
      'ZÜRICH',
      'silver or gold or japan',
      'japan -gold',
      'japan -"japan bank"',
      '日本',
      '銀行',
      '"利上"',
      'ΤΗΣ ελλαδος',
      'raise rate',
      'raising RATED',
      'jap*',
      'bank of jap* -jam*',
      '"rates"',
    ]) {
      assert.ok(await isFound(row, text), text)
    }
    for (const text of [
      'gold',
      'japan gold',
      '"japan bank"',
      'japan -rates',
      'japan -"bank of japan"',
      'silver or gold',
      'jap',
      'japanes*',
      'jap* -rat*',
      '"rate"',
      'j*',
      'japan -raise',
      '本日',
      'zuri',
    ]) {
      assert.ok(!(await isFound(row, text)), text)
    }
  })
})
