import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayBeIn } from './query-language.ts'

test('a query in another language is recognised', () => {
  for (const question of [
    'Die Notenbank lässt die Zinsen unverändert',
    'la banque centrale relève ses taux dans la zone euro',
    'el banco central sube los tipos',
    'de centrale bank verhoogt het tarief voor leningen',
    '日本銀行が利上げ',
    'центральный банк',
  ]) {
    assert.equal(mayBeIn(['en'], question), false, question)
  }
})

test('names, single words and English pass', () => {
  for (const question of [
    'gold',
    'Volkswagen',
    'Crédit Agricole results',
    'who sells to the ECB',
    'de Beers',
    '',
    '123',
  ]) {
    assert.equal(mayBeIn(['en'], question), true, question)
  }
  assert.equal(mayBeIn(undefined, '日本銀行が利上げ'), true)
})
