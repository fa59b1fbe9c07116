import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortNameOf } from './short-name.ts'

const company = (name: string, ...aliases: string[]) => shortNameOf({ name, type: 'equity', aliases })

test('the short name of a company is its first short alias, or its name without the legal form', () => {
  assert.equal(company('NVIDIA Corporation', 'NVIDIA Corporation', 'Nvidia'), 'Nvidia')
  assert.equal(company('International Business Machines Corporation', 'IBM', 'Big Blue'), 'IBM')
  assert.equal(company('NVIDIA Corporation'), 'NVIDIA')
  assert.equal(company('The Walt Disney Company'), 'Walt Disney')
  assert.equal(company('Wal-Mart de México, S.A.B. de C.V.'), 'Wal-Mart de México')
  assert.equal(company("McDonald's Corporation"), "McDonald's")
  assert.equal(company('Amazon.com, Inc.'), 'Amazon')
  assert.equal(company('JPMorgan Chase & Co.'), 'JPMorgan Chase')
  assert.equal(company('Yahoo! Inc.'), 'Yahoo!')
  assert.equal(company('Alphabet Inc. Class A'), 'Alphabet')
})

test('a name without a legal form, or of nothing else, is unchanged', () => {
  assert.equal(company('Group'), 'Group')
  assert.equal(company('Visa'), 'Visa')
  assert.equal(company(''), '')
})

test('assets other than companies keep their name', () => {
  assert.equal(shortNameOf({ name: 'Bitcoin', type: 'crypto', aliases: ['XBT'] }), 'Bitcoin')
})
