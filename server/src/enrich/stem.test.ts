import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stem } from './stem.ts'

test('inflections of a word have one stem', () => {
  const families = [
    'cut cuts cutting',
    'layoff layoffs',
    'price prices priced pricing',
    'rally rallies rallied',
    'regulate regulated regulates regulating regulation regulations regulator',
    'merge merged merges merging',
    'acquisition acquisitions',
    'tariff tariffs',
    'hike hikes hiked hiking',
    'plan plans planned planning',
    "company companies company's",
    'tie ties tied',
    'die dies dying',
  ]
  for (const family of families) {
    const stems = new Set(family.split(' ').map(stem))
    assert.equal(stems.size, 1, `${family} → ${[...stems].join(' ')}`)
  }
})

test('unrelated words with the same prefix have different stems', () => {
  for (const [one, other] of [
    ['general', 'generous'],
    ['community', 'communism'],
    ['universe', 'university'],
    ['news', 'new'],
    ['organ', 'organization'],
    ['international', 'internal'],
  ] as const) {
    assert.notEqual(stem(one), stem(other), `${one} and ${other}`)
  }
})

/** Pairs from the published description of the stemmer. */
test('stems match the Snowball English stemmer', () => {
  const pairs = {
    caresses: 'caress',
    ponies: 'poni',
    ties: 'tie',
    cries: 'cri',
    gas: 'gas',
    gaps: 'gap',
    kiwis: 'kiwi',
    agreed: 'agre',
    feed: 'feed',
    luxuriating: 'luxuri',
    hopping: 'hop',
    hoping: 'hope',
    egging: 'egg',
    sky: 'sky',
    skies: 'sky',
    say: 'say',
    by: 'by',
    youth: 'youth',
    relational: 'relat',
    conditionally: 'condit',
    digitizer: 'digit',
    hopefulness: 'hope',
    analogously: 'analog',
    geologist: 'geolog',
    triplicate: 'triplic',
    formative: 'format',
    adjustment: 'adjust',
    adoption: 'adopt',
    onion: 'onion',
    controlling: 'control',
    rate: 'rate',
    cease: 'ceas',
    exceed: 'exceed',
    herring: 'herring',
  }
  for (const [word, expected] of Object.entries(pairs)) assert.equal(stem(word), expected, word)
})

test('words in other scripts, numbers and very short or long words are unchanged', () => {
  for (const word of ['', 'a', 'és', 'größe', '市场', '2025', 'q3', '🚀', 'x'.repeat(20_000)])
    assert.equal(stem(word), word)
})

test('a stem is at most one letter longer than its word', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z']{1,30}$/)), (word) => {
      assert.ok(stem(word).length <= word.length + 1)
    }),
  )
})
