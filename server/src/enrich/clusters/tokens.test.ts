import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterTokens } from './tokens.ts'

function stems(text: string, language = 'en'): string[] {
  return clusterTokens(text, language).map(({ stem }) => stem)
}

function names(text: string): string[] {
  return clusterTokens(text, 'en').flatMap(({ stem, isName }) => (isName ? [stem] : []))
}

test('inflections of a word and spellings of a number have one stem', () => {
  assert.deepEqual(stems('recalls recalled recalling'), ['recal', 'recal', 'recal'])
  assert.deepEqual(stems('1,200 1200'), ['1200', '1200'])
  assert.deepEqual(stems('$24bn')[0], stems('24 billion')[0])
})

test('a country and its people have one stem', () => {
  assert.deepEqual(stems('Polish jets')[0], stems('Poland')[0])
  assert.deepEqual(stems('U.S. tariffs')[0], stems('American')[0])
})

test('capitalised words are names unless they are common words', () => {
  assert.deepEqual(names('Walmart Raises Annual Forecast'), ['walmart'])
  assert.deepEqual(names('shares rise'), [])
})

test('scripts without spaces are split into bigrams', () => {
  assert.deepEqual(stems('削減する', 'ja'), ['削減', '減す', 'する'])
})

test('a text of one endless word yields a bounded number of tokens', () => {
  assert.ok(clusterTokens('a'.repeat(20_000), 'en').length === 1)
  assert.ok(clusterTokens('漢'.repeat(20_000), 'zh').length < 1000)
  assert.ok(clusterTokens("a'".repeat(10_000), 'en').length <= 1000)
})
