import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { formsOf, INFLECTED_LANGUAGES } from './word-forms.ts'

describe('formsOf', () => {
  const related: [string, string[]][] = [
    ['en', ['rate', 'rates', 'rated', 'rating']],
    ['en', ['hike', 'hikes', 'hiked', 'hiking']],
    ['en', ['cut', 'cuts', 'cutting']],
    ['en', ['plan', 'plans', 'planned', 'planning']],
    ['en', ['company', 'companies']],
    ['en', ['try', 'tries', 'tried']],
    ['en', ['box', 'boxes', 'boxed']],
    ['en', ['tariff', 'tariffs']],
    ['de', ['bank', 'banken']],
    ['de', ['zoll', 'zolle', 'zollen']],
    ['fr', ['banque', 'banques']],
    ['es', ['accion', 'acciones']],
    ['es', ['tasa', 'tasas']],
    ['it', ['tasso', 'tassi']],
    ['it', ['banca', 'banche']],
    ['pt', ['banco', 'bancos']],
  ]
  for (const [language, words] of related) {
    test(`${language}: ${words.join(', ')} are forms of each other`, () => {
      for (const word of words) {
        const forms = formsOf(word, [language])
        assert.deepEqual(
          words.filter((other) => !forms.includes(other)),
          [],
          `${word}: ${forms}`,
        )
      }
    })
  }

  test('words that only look alike are not', () => {
    for (const [word, other] of [
      ['news', 'new'],
      ['gas', 'ga'],
      ['rate', 'rat'],
      ['bus', 'bu'],
      ['business', 'busy'],
      ['policy', 'police'],
      ['thing', 'th'],
    ] as const) {
      assert.ok(!formsOf(word).includes(other), `${word}: ${formsOf(word)}`)
      assert.ok(!formsOf(other).includes(word), `${other}: ${formsOf(other)}`)
    }
  })

  test('numbers, tickers of two letters and other scripts have no other forms', () => {
    for (const word of ['2026', 'ai', 'q3', '日', 'ελλασ', 's1mple']) assert.deepEqual(formsOf(word), [word])
  })

  test('languages without forms are searched in English', () => {
    assert.deepEqual(formsOf('rates', ['ja', 'xx']), formsOf('rates'))
    assert.ok(!formsOf('rates', ['de']).includes('rating'))
  })

  test('any word is one of its forms, which are few, whatever the language', () => {
    const someWord = fc.string({ unit: fc.constantFrom(...'abcdeginorsty'), minLength: 1, maxLength: 20 })
    const cpuMs = cpuTimer()
    fc.assert(
      fc.property(someWord, fc.subarray(INFLECTED_LANGUAGES, { maxLength: 1 }), (word, languages) => {
        const forms = formsOf(word, languages)
        assert.equal(forms[0], word)
        assert.ok(new Set(forms).size === forms.length && forms.length <= 60, `${word}: ${forms}`)
      }),
    )
    assert.ok(cpuMs() < 2_000)
  })
})
