import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentFrequencies } from './document-frequencies.ts'
import { extractFeatures } from './features.ts'
import { isNearDuplicate, normalizeTitle, templateShare } from './near-duplicates.ts'

function fingerprint(title: string, content = '') {
  return extractFeatures({ title, content, own: content, language: 'en', publisher: null }, new DocumentFrequencies())
    .fingerprint
}

test('normalised titles ignore case, punctuation, wire prefixes and the publisher', () => {
  const plain = normalizeTitle('Apple tops forecasts')
  for (const title of [
    'APPLE TOPS FORECASTS!',
    'UPDATE 2-Apple tops forecasts',
    'BREAKING: Apple tops forecasts',
    'Apple tops forecasts - Reuters',
    'Apple tops forecasts | CNBC',
    'UPDATE 1-Apple tops forecasts — The Wall Street Journal',
  ]) {
    assert.equal(normalizeTitle(title), plain, title)
  }
})

test('text after a dash is kept unless it is a publisher', () => {
  assert.notEqual(normalizeTitle('Apple tops forecasts - but shares fall'), normalizeTitle('Apple tops forecasts'))
})

test('a headline with one word changed is a near duplicate, with another name it is not', () => {
  const original = fingerprint('Bexley Bio director sells 40,000 shares under trading plan')
  assert.ok(isNearDuplicate(original, fingerprint('Bexley Bio director sold 40,000 shares under a trading plan')))
  assert.ok(!isNearDuplicate(original, fingerprint('Corvane director sells 40,000 shares under trading plan')))
})

test('the same lead under another headline is a near duplicate', () => {
  const lead =
    'The refinery on the coast stopped work on Sunday after lightning hit a storage tank, and firefighters from three towns fought the flames until the morning.'
  assert.ok(
    isNearDuplicate(
      fingerprint('Lightning stops refinery', lead),
      fingerprint('Blaze at coastal oil plant', `${lead} More soon.`),
    ),
  )
})

test('headlines of one template with different subjects have a high template share', () => {
  const intel = fingerprint('Intel beats Q3 estimates')
  assert.ok(templateShare(fingerprint('Apple beats Q3 estimates'), intel) > 0.5)
  assert.equal(templateShare(fingerprint('PC rebound helps Intel beat Q3 estimates'), intel), 0)
})
