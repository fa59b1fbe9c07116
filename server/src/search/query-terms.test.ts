import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { queryStem, queryTerms } from './query-terms.ts'

test('drops stop words unless there are no others', () => {
  assert.deepEqual(
    queryTerms('what is the price of gold?').map(({ stem }) => stem),
    ['price', 'gold'],
  )
  assert.deepEqual(
    queryTerms('who is it').map(({ stem }) => stem),
    ['who', 'is', 'it'],
  )
  assert.deepEqual(queryTerms('… ?!'), [])
})

test('a word has its inflected forms', () => {
  const formsOf = (word: string) => queryTerms(word)[0]?.forms ?? []
  for (const [word, ...others] of [
    ['falling', 'fall', 'falls', 'fell', 'fallen'],
    ['acquire', 'acquires', 'acquired', 'acquiring', 'acquirer'],
    ['companies', 'company'],
    ['cut', 'cuts', 'cutting'],
    ['bought', 'buy', 'buys', 'buying'],
    ['supply', 'supplies', 'supplied'],
    ['hacked', 'hack', 'hacker', 'hackers'],
  ]) {
    for (const other of others) assert.ok(formsOf(word ?? '').includes(other), `${word}: ${other}`)
  }
})

test('an English word has related words, none of which is asked for itself', () => {
  const relatedTo = (query: string) => queryTerms(query).flatMap(({ related }) => related)
  for (const [word, ...others] of [
    ['vehicles', 'car', 'trucks'],
    ['hackers', 'intruders'],
    ['petrol', 'gasoline', 'fuel'],
    ['steal', 'loot'],
  ]) {
    for (const other of others) assert.ok(relatedTo(word ?? '').includes(other), `${word}: ${other}`)
  }
  assert.ok(!relatedTo('vehicles or a car').includes('car'))
  assert.equal(new Set(relatedTo('hacked')).size, relatedTo('hacked').length)
  assert.deepEqual(relatedTo('blorptang'), [])
  assert.deepEqual(relatedTo('die Autos und das Benzin'), [])
})

/** Words of letters that occur in endings. */
const words = fc.string({ unit: fc.constantFrom(...'aeisdngry '), maxLength: 40 })

test('every form has the stem of its word, or names who does it, for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), words), (text) => {
      for (const { stem, forms } of queryTerms(text)) {
        for (const form of forms) assert.ok(queryStem(form) === stem || /^.*ers?$/su.test(form), form)
      }
    }),
    { numRuns: runs(60, 500), examples: [['IASe']] },
  )
})
