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

test('words of different meaning that begin alike keep different stems', () => {
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

/** Pairs as the published description of the Snowball English stemmer gives them. */
test('each step of the Snowball English stemmer is followed', () => {
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

test('what is no English word comes back as it is', () => {
  for (const word of ['', 'a', 'és', 'größe', '市场', '2025', 'q3', '🚀', 'x'.repeat(20_000)])
    assert.equal(stem(word), word)
})

test('any text gives a stem that is not longer by more than one letter', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z']{1,30}$/)), (word) => {
      assert.ok(stem(word).length <= word.length + 1)
    }),
  )
})
