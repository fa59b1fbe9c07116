import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { labelledFor } from '../../../quality/mentions/labelled.ts'
import { measureMentions } from '../../../quality/mentions/measure.ts'
import { misleadingNames } from '../../../quality/mentions/misleading-names.ts'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { builtInAssets } from '../../catalogue/built-in/assets.ts'
import type { CatalogueAsset } from './asset.ts'
import { AssetMatcher } from './matcher.ts'

const matcher = new AssetMatcher(builtInAssets)
const keysOf = (title: string, content = '', from = matcher) =>
  from.find({ title, content }).map((found) => found.assetKey)

function company(key: string, name: string, more: Partial<CatalogueAsset> = {}): CatalogueAsset {
  return {
    key,
    symbol: key,
    name,
    type: 'equity',
    status: 'active',
    exchange: null,
    countryCode: null,
    aliases: [],
    formerSymbols: [],
    sector: null,
    industry: null,
    ...more,
  }
}

describe('AssetMatcher', () => {
  it('finds the assets of labelled texts with precision and recall of at least 0.95', () => {
    const { precision, recall, mistakes } = measureMentions(labelledFor(builtInAssets), (text) => matcher.find(text))
    assert.ok(precision >= 0.95 && recall >= 0.95, JSON.stringify({ precision, recall, mistakes }))
  })

  for (const [kind, texts] of misleadingNames()) {
    it(`is not misled by ${kind}`, () => {
      assert.deepEqual(measureMentions(texts, (text) => matcher.find(text)).mistakes, [])
    })
  }

  it('keeps the names of assets when all companies of an exchange are added', () => {
    const more = [
      company('BNPQY', 'BNP PARIBAS'),
      company('CELG-RI', 'BRISTOL MYERS SQUIBB CO'),
      company('TSM', 'TAIWAN SEMICONDUCTOR MANUFACTURING CO LTD'),
      company('NYMT', 'NEW YORK MORTGAGE TRUST INC'),
      company('MNDY', 'monday.com Ltd.'),
    ]
    const wide = new AssetMatcher([...builtInAssets, ...more])
    assert.deepEqual(keysOf('BNP Paribas buys asset manager for 5.1 bln euros', '', wide), ['BNP.PA'])
    assert.deepEqual(keysOf('Bristol-Myers cuts 2,000 jobs', '', wide), ['BMY'])
    assert.deepEqual(keysOf('Taiwan Semiconductor sales jump 39%', '', wide), ['2330.TW'])
    assert.deepEqual(keysOf('AstraZeneca to list shares in New York', '', wide), ['AZN.L'])
    assert.deepEqual(keysOf('Shares fell on Monday', 'Stocks and shares of Monday lost 2%.', wide), [])
    assert.deepEqual(keysOf('New York Mortgage Trust Inc cuts its dividend', '', wide), ['NYMT'])
  })

  describe('in a registry, whose names are also words, people and places', () => {
    const registry = new AssetMatcher([
      ...builtInAssets,
      company('LNN', 'LINDSAY CORP'),
      company('ETN.US', 'Eaton Corp plc'),
      company('GMS', 'GMS Inc.'),
      company('WDDD', 'WORLDS INC'),
      company('KSS', 'KOHLS Corp'),
      company('DLOG', 'DELTA CORP. HOLDINGS Ltd'),
      company('X', 'UNITED STATES STEEL CORP'),
      company('DWNX', 'DELHI BANK CORP'),
      company('NMREF', 'Namibia Critical Metals Inc.'),
      company('BYON', 'BEYOND, INC.'),
      company('COCH', 'Envoy Medical, Inc.'),
      company('EIG', 'Employers Holdings, Inc.'),
      company('SCI', 'SERVICE CORP INTERNATIONAL'),
      company('BKE', 'BUCKLE INC'),
      company('TRI', 'THOMSON REUTERS CORP /CA/'),
      company('LSCC', 'LATTICE SEMICONDUCTOR CORP'),
      company('ACU', 'ACME UNITED CORP'),
    ])
    const rows: [title: string, keys: string[], why: string][] = [
      ['Lindsay Lohan plans a comeback', [], 'a person'],
      ['Lindsay Corp lifts its dividend', ['LNN'], 'the company'],
      ['Watch Ria Eaton win the final of the show', [], 'a surname after an unknown first name'],
      ['Chairman Shawn B. Eaton resigns', [], 'an initial before a surname'],
      ["GM's recall grows to 2.6 million cars", ['GM'], 'a possessive, not another company'],
      ["The World's Largest Battery Opens", [], 'a possessive of an ordinary word'],
      ["Kohl's warns of weak sales", ['KSS'], 'a possessive that belongs to the name'],
      ['Delta expects record summer demand', ['DAL'], 'the best-known company of the name'],
      ['United States imposes new tariffs', [], 'a country'],
      ['United States Steel halts a furnace', ['X'], 'a company that begins with a country'],
      ['Smog closes schools in Delhi', [], 'a city'],
      ['Namibia finds more offshore oil', [], 'a country'],
      ['Bed Bath & Beyond closes last stores', [], 'the end of a longer name'],
      ['Special Envoy Hook Says Talks Are Open', [], 'an ordinary word in a title with capitals'],
      ['Lattice unveils faster chips, shares up 5%', ['LSCC'], 'an ordinary word in a text about business'],
      ['Employers posted more open jobs in January', [], 'an ordinary word that begins a sentence'],
      ['Service Corporation International raises its payout', ['SCI'], 'another legal form within the name'],
      ['The Buckle, Inc. opens 20 stores', ['BKE'], 'a comma before the legal form'],
      ['Thomson Resources drills in Queensland', [], 'another company that begins with the word'],
      ['UPDATE 2-Tesla recalls 2,000 cars', ['TSLA'], 'the mark of a news agency'],
      ['BRIEF-Acme United declares dividend', ['ACU'], 'the mark of a news agency'],
      ["Brazil's Vale posts record output", ['VALE3.SA'], 'a country that owns a company'],
      ["Dorsey's Block posts record profit", ['XYZ'], 'a person who owns a company'],
      ['Strategy 2030 of the city is out', [], 'a year after a common word'],
      ['Über 1.000 Stellen fallen weg', [], 'a German word, folded into a brand'],
      ['SPX Flow confirms the sale of a unit', [], 'a company, not the index'],
    ]
    for (const [title, keys, why] of rows) {
      it(`${why}: ${title}`, () => assert.deepEqual(keysOf(title, '', registry), keys))
    }
  })

  it('returns the position of each mention in its field', () => {
    const [apple] = matcher.find({
      title: "Apple's profit rises",
      content: 'Shares of Apple Inc. (NASDAQ: AAPL) rose.',
    })
    assert.deepEqual(apple?.mentions, [
      { field: 'title', start: 0, end: 5, text: 'Apple' },
      { field: 'content', start: 10, end: 19, text: 'Apple Inc' },
      { field: 'content', start: 30, end: 34, text: 'AAPL' },
    ])
  })

  it('ranks the subject of the title first, assets only in the content last', () => {
    const found = matcher.find({
      title: 'Nvidia supplier list grows, Broadcom says',
      content: 'The news also lifted Micron.',
    })
    assert.deepEqual(
      found.map((asset) => asset.assetKey),
      ['NVDA', 'AVGO', 'MU'],
    )
    for (const { relevanceScore } of found) assert.ok(relevanceScore > 0 && relevanceScore <= 1)
  })

  it('prefers the longest name and links a span to one asset', () => {
    assert.deepEqual(keysOf('Bitcoin Cash rallies'), ['BCH'])
    assert.deepEqual(keysOf('SPDR S&P 500 ETF Trust pays dividend'), ['SPY'])
  })

  it('ignores addresses and handles', () => {
    assert.deepEqual(keysOf('Read more at https://www.tesla.com/apple-stock via @Nvidia'), [])
  })

  it('derives the usual short names from legal names', () => {
    const registry = new AssetMatcher([
      company('PLTR', 'PALANTIR TECHNOLOGIES INC.'),
      company('JPM', 'JPMORGAN CHASE & CO'),
      company('BAC', 'BANK OF AMERICA CORP /DE/'),
      company('IBM', 'INTERNATIONAL BUSINESS MACHINES CORP'),
      company('XOM', 'EXXON MOBIL CORP'),
      company('RBS', 'Royal Bank of Scotland Group plc'),
      company('CMP', 'COMPASS MINERALS INTERNATIONAL INC'),
      company('MCD', 'MCDONALDS CORP'),
    ])
    const rows: [string, string][] = [
      ['Palantir wins contract', 'PLTR'],
      ['J.P. Morgan profit falls', 'JPM'],
      ['BofA profit falls', 'BAC'],
      ['IBM profit falls', 'IBM'],
      ['ExxonMobil profit falls', 'XOM'],
      ['RBS profit falls', 'RBS'],
      ['Compass Minerals profit falls', 'CMP'],
      ["McDonald's profit falls", 'MCD'],
    ]
    for (const [title, key] of rows) assert.deepEqual(keysOf(title, '', registry), [key], title)
    assert.deepEqual(keysOf('A compass for investors in minerals', '', registry), [])
  })

  it('accepts names that are JavaScript properties', () => {
    const odd = new AssetMatcher([
      company('CON', 'Constructor Inc.'),
      company('PRO', '__proto__ Corp'),
      company('', ''),
    ])
    assert.deepEqual(keysOf('Constructor shares rise, toString and __proto__ too', '', odd), ['CON'])
  })

  it('links the name of a company with several share classes to the first, a ticker to its own class', () => {
    const classes = new AssetMatcher([
      company('GOOGL', 'Alphabet Inc. (Class A)'),
      company('GOOG', 'Alphabet Inc. (Class C)'),
    ])
    assert.deepEqual(keysOf('Google profit rises', '', classes), ['GOOGL'])
    assert.deepEqual(keysOf('Why $GOOG is cheaper', '', classes), ['GOOG'])
  })

  it('links a name shared by two companies only with other evidence for one of them', () => {
    const two = new AssetMatcher([company('MRK', 'Merck & Co., Inc.'), company('MKGAF', 'Merck KGaA')])
    assert.deepEqual(keysOf('Merck profit rises', '', two), [])
    assert.deepEqual(keysOf('Merck profit rises', 'Shares of Merck KGaA rose.', two), ['MKGAF'])
  })

  it('prefers the listing that the catalogue knows more of', () => {
    const two = new AssetMatcher([company('SNY', 'Sanofi'), ...builtInAssets])
    assert.deepEqual(keysOf('Sanofi sees profit rising', '', two), ['SAN.PA'])
  })

  it('finds native names, and Latin names with the rules of another language', () => {
    const rows: [string, string, string[]][] = [
      ['ja', '日経平均、3日続伸 トヨタとメタが高い', ['N225', '7203.T', 'META']],
      ['ja', 'メタバースの市場が拡大', []],
      ['ja', '終値は800円安', []],
      ['zh', '腾讯和苹果股价大涨', ['0700.HK', 'AAPL']],
      ['de', 'Volkswagens Gewinn fällt, Kupferpreis steigt', ['VOW3.DE', 'COPPER']],
      ['it', 'Ubs alza il prezzo obiettivo di Enel', ['ENEL.MI']],
      ['it', "Ubs raddoppia l'utile", ['UBSG.SW']],
      ['fr', 'Mais où est donc passé le cuivre du musée', []],
      ['pt', 'Vale a pena investir agora?', []],
    ]
    for (const [language, title, keys] of rows) {
      const found = matcher.find({ title, content: '' }, language).map((asset) => asset.assetKey)
      assert.deepEqual(found.toSorted(), keys.toSorted(), title)
    }
  })

  it('prefers an active asset to a delisted one', () => {
    const two = new AssetMatcher([
      company('TWTR', 'Acme Widgets Inc.', { status: 'delisted' }),
      company('ACMW', 'Acme Widgets Inc.'),
    ])
    assert.deepEqual(keysOf('Acme Widgets profit rises', '', two), ['ACMW'])
  })

  it('ignores a ticker on another exchange unless the name is mentioned too', () => {
    assert.deepEqual(keysOf('Do directors own shares of Blok Technologies (CNSX:BLK)?'), [])
    assert.deepEqual(keysOf('Shell (NYSE: SHEL) raises payout'), ['SHEL.L'])
  })

  it('never throws, and the text of a mention is at its position', () => {
    const words = fc.constantFrom(
      'Apple',
      '$TSLA',
      '(NYSE:',
      "Target's",
      '&',
      'S&P',
      '500',
      '.',
      '"',
      '株',
      'ÅÄÖ',
      '👍',
      '-',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(texts, texts, (title, content) => {
        for (const { mentions, relevanceScore } of matcher.find({ title, content })) {
          assert.ok(relevanceScore >= 0 && relevanceScore <= 1)
          for (const { field, start, end, text } of mentions) {
            assert.equal((field === 'title' ? title : content).slice(start, end), text)
          }
        }
      }),
    )
  })

  it('stays linear on long hostile texts', () => {
    const cpuMs = cpuTimer()
    const pieces = [
      'a',
      'A',
      '$',
      'A.',
      'S&P ',
      'Goldman Sachs ',
      'Goldman Sachs at ',
      "Target's ",
      'Apple, ',
      'NYSE: ',
      '(',
      '株',
      '1 ',
      'GE-',
    ]
    for (const piece of pieces)
      matcher.find({ title: piece.repeat(200), content: piece.repeat(20_000).slice(0, 20_000) })
    assert.ok(cpuMs() < 2_000)
  })
})
