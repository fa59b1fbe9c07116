import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentFrequencies } from './document-frequencies.ts'
import { extractFeatures } from './features.ts'
import { isNearDuplicate, normaliseTitle, templateShare } from './near-duplicates.ts'

function marksOf(title: string, content = '') {
  return extractFeatures({ title, content, language: 'en' }, new DocumentFrequencies()).copyMarks
}

test('titles agree without case, punctuation, wire marks and the publisher', () => {
  const plain = normaliseTitle('Apple tops forecasts')
  for (const title of [
    'APPLE TOPS FORECASTS!',
    'UPDATE 2-Apple tops forecasts',
    'BREAKING: Apple tops forecasts',
    'Apple tops forecasts - Reuters',
    'Apple tops forecasts | CNBC',
    'UPDATE 1-Apple tops forecasts — The Wall Street Journal',
  ]) {
    assert.equal(normaliseTitle(title), plain, title)
  }
})

test('what follows a dash is kept when it is no publisher', () => {
  assert.notEqual(normaliseTitle('Apple tops forecasts - but shares fall'), normaliseTitle('Apple tops forecasts'))
})

test('a headline with one word changed is a near copy, with another name it is none', () => {
  const marks = marksOf('Bexley Bio director sells 40,000 shares under trading plan')
  assert.ok(isNearDuplicate(marks, marksOf('Bexley Bio director sold 40,000 shares under a trading plan')))
  assert.ok(!isNearDuplicate(marks, marksOf('Corvane director sells 40,000 shares under trading plan')))
})

test('the same beginning under another headline is a near copy', () => {
  const lead =
    'The refinery on the coast stopped work on Sunday after lightning hit a storage tank, and firefighters from three towns fought the flames until the morning.'
  assert.ok(
    isNearDuplicate(
      marksOf('Lightning stops refinery', lead),
      marksOf('Blaze at coastal oil plant', `${lead} More soon.`),
    ),
  )
})

test('a template is known by the subject that differs', () => {
  const intel = marksOf('Intel beats Q3 estimates')
  assert.ok(templateShare(marksOf('Apple beats Q3 estimates'), intel) > 0.5)
  assert.equal(templateShare(marksOf('PC rebound helps Intel beat Q3 estimates'), intel), 0)
})
