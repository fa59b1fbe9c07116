import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { eightWords } from '../../quality/language/eight-words.ts'
import { languageHeadlines } from '../../quality/language/headlines.ts'
import { cpuTimer } from '../../test/cpu-time.ts'
import { languageOf, normalizeLanguage } from './language.ts'

const headline = (title: string, declared: string | null = null) => languageOf({ title, content: '' }, declared)

describe('languageOf', () => {
  it('detects the language of at least 99 % of financial headlines', () => {
    const rows = Object.entries(languageHeadlines).flatMap(([language, titles]) =>
      titles.map((title) => ({ language, title })),
    )
    const wrong = rows.filter(({ language, title }) => headline(title) !== language)
    assert.ok(wrong.length <= rows.length * 0.01, JSON.stringify(wrong))
  })

  it('detects plain sentences of eight words in 57 languages, also those rare in financial feeds', () => {
    const rows = Object.entries(eightWords).flatMap(([language, texts]) => texts.map((title) => ({ language, title })))
    const wrong = rows.filter(({ language, title }) => headline(title) !== language)
    assert.ok(wrong.length <= rows.length * 0.02, JSON.stringify(wrong))
  })

  it('detects at least 97 % when the feed declares the wrong language', () => {
    const rows = Object.entries(languageHeadlines).flatMap(([language, titles]) =>
      titles.map((title) => ({ language, title, declared: language === 'en' ? 'de' : 'en-US' })),
    )
    const wrong = rows.filter(({ language, title, declared }) => headline(title, declared) !== language)
    assert.ok(wrong.length <= rows.length * 0.03, JSON.stringify(wrong))
  })

  it('trusts the declared language below four words', () => {
    assert.equal(headline('Bitcoin ETF', 'en-US'), 'en')
    assert.equal(headline('Bitcoin ETF', 'fr'), 'fr')
    assert.equal(headline('Bitcoin ETF'), null)
    assert.equal(headline('$TSLA $NVDA https://example.com', 'de-AT'), null)
  })

  it('trusts a script of one language over the feed, even in one word', () => {
    assert.equal(headline('삼성전자', 'en'), 'ko')
    assert.equal(headline('トヨタ', 'en'), 'ja')
    assert.equal(headline('Μετοχές', null), 'el')
    assert.equal(headline('מניות', 'en'), 'he')
    assert.equal(headline('หุ้นไทย', null), 'th')
  })

  it('distinguishes Japanese without kana from Chinese', () => {
    assert.equal(headline('任天堂、営業利益3割減'), 'ja')
    assert.equal(headline('小米携手苹果', 'en'), 'zh')
    assert.equal(headline('Solana大跌13.8%', 'en'), 'zh')
  })

  it('returns null for texts that are empty or only emoji and numbers', () => {
    for (const title of ['', '   ', '🚀🚀🚀', '12,345.67 +3.2%', '$BTC', '!!! ???']) assert.equal(headline(title), null)
  })

  it('reads the content too', () => {
    const content = 'Die Aktie des Softwarekonzerns legte am Dienstag deutlich zu, nachdem die Zahlen überzeugt hatten.'
    assert.equal(languageOf({ title: 'SAP', content }, 'en'), 'de')
  })

  it('is quick on a megabyte and never throws', () => {
    const cpuMs = cpuTimer()
    for (const piece of ['a', 'a.', '@', '$', 'é', '株', 'A:', '1', 'ab ', '\u0000', '👍']) {
      languageOf({ title: piece.repeat(500_000), content: piece.repeat(500_000) }, 'en')
    }
    assert.ok(cpuMs() < 2_000)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string()), (title, declared) => {
        const language = languageOf({ title, content: title }, declared)
        assert.ok(language === null || /^[a-z]{2}$/.test(language))
      }),
    )
  })
})

describe('normalizeLanguage', () => {
  it('returns the language of a tag, and null for anything else', () => {
    const rows: [string | null, string | null][] = [
      ['en-US', 'en'],
      ['EN', 'en'],
      [' pt_BR ', 'pt'],
      ['zh-Hans-CN', 'zh'],
      ['deu', 'de'],
      ['nb-NO', 'no'],
      ['', null],
      [null, null],
      ['english', null],
      ['<b>', null],
      ['xx', null],
      ['1', null],
    ]
    for (const [declared, code] of rows) assert.equal(normalizeLanguage(declared), code, String(declared))
  })
})
