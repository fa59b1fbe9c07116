import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foreignHeadlines } from '../../../quality/languages/parse.ts'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { splitCompound } from './compounds.ts'
import { READERS } from './languages.ts'

function toneOf(language: string, title: string): number {
  return Math.sign(READERS.get(language)?.sentimentOf({ title, content: '' }) ?? 0)
}

describe('LanguageReader', () => {
  for (const { language, tuned, heldBack } of foreignHeadlines()) {
    it(`reads the tone of nine in ten ${language} headlines, also of those held back`, () => {
      for (const rows of [tuned, heldBack]) {
        const right = rows.filter(({ title, tone }) => toneOf(language, title) === tone)
        assert.ok(right.length >= rows.length * 0.9, `${right.length} of ${rows.length}`)
      }
    })

    it(`knows only topics of the tree in ${language}, and finds those of nine in ten headlines`, () => {
      const rows = [...tuned, ...heldBack].filter(({ topics }) => topics.length > 0)
      const found = rows.filter(({ title, topics }) => {
        const slugs = READERS.get(language)?.topicsOf(title) ?? []
        return topics.every((slug) => slugs.includes(slug))
      })
      assert.ok(found.length >= rows.length * 0.9, `${found.length} of ${rows.length}`)
    })
  }

  it('reverses a statement after a negation, and when it falls short of what was expected', () => {
    assert.equal(toneOf('de', 'Der Gewinn steigt nicht'), -1)
    assert.equal(toneOf('de', 'Der Umsatz fällt weniger stark als befürchtet'), 1)
    assert.equal(toneOf('fr', 'Les ventes baissent moins que prévu'), 1)
    assert.equal(toneOf('es', 'La empresa gana menos de lo previsto'), -1)
    assert.equal(toneOf('zh', '销售额降幅小于预期'), 1)
  })

  it('depends on what moves', () => {
    assert.equal(toneOf('de', 'Der Verlust steigt'), -1)
    assert.equal(toneOf('it', 'Le perdite calano'), 1)
    assert.equal(toneOf('pt', 'O desemprego cai'), 1)
    assert.equal(toneOf('ja', '失業率が低下'), 1)
    assert.equal(toneOf('de', 'Die Notenbank senkt den Leitzins'), 0)
  })

  it('scores each asset by the clause that names it', () => {
    const title = 'Siemens hebt Prognose an, während BASF Verlust schreibt'
    const reader = READERS.get('de')
    assert.ok((reader?.assetSentiment(title, [{ start: title.indexOf('Siemens') }]) ?? 0) > 0)
    assert.ok((reader?.assetSentiment(title, [{ start: title.indexOf('BASF') }]) ?? 0) < 0)
  })

  it('is quick on long hostile texts and never throws', () => {
    const cpuMs = cpuTimer()
    for (const reader of READERS.values()) {
      for (const piece of [
        'gewinn',
        'gewinnverlust ',
        '利润增',
        '増益、',
        'a',
        '. ',
        'non ',
        'weniger als erwartet ',
        '\u0000',
        '👍',
      ]) {
        const text = piece.repeat(20_000).slice(0, 20_000)
        reader.sentimentOf({ title: text, content: text })
        reader.topicsOf(text)
        reader.assetSentiment(text, [{ start: 3 }, { start: 19_000 }])
      }
    }
    assert.ok(cpuMs() < 7 * 10 * 50, `${cpuMs()} ms`)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const reader of READERS.values()) {
          const score = reader.sentimentOf({ title: text, content: text })
          assert.ok(score >= -1 && score <= 1)
        }
      }),
    )
  })
})

describe('splitCompound', () => {
  const known = new Set(['gewinn', 'einbruch', 'quartal', 'zins', 'erhöhung', 'leit'])
  const split = (word: string) => splitCompound(word, (part) => known.has(part))

  it('returns the known parts without the letters between them', () => {
    assert.deepEqual(split('gewinneinbruch'), ['gewinn', 'einbruch'])
    assert.deepEqual(split('quartalsgewinn'), ['quartal', 'gewinn'])
    assert.deepEqual(split('leitzinserhöhung'), ['leit', 'zins', 'erhöhung'])
  })

  it('keeps a word whose end is unknown', () => {
    assert.deepEqual(split('gewinnspiel'), ['gewinnspiel'])
    assert.deepEqual(split('haus'), ['haus'])
  })
})
