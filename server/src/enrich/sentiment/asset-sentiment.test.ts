import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { assetSentiment } from './asset-sentiment.ts'

function around(text: string, name: string): number | null {
  const start = text.indexOf(name)
  return assetSentiment(text, [{ start, end: start + name.length }])
}

const isGood = (text: string, name: string) =>
  assert.ok((around(text, name) ?? 0) > 0, `${around(text, name)} ${name}: ${text}`)
const isBad = (text: string, name: string) =>
  assert.ok((around(text, name) ?? 0) < 0, `${around(text, name)} ${name}: ${text}`)

test('each of two assets has the score of its own clause', () => {
  isGood('Apple rises as Samsung falls', 'Apple')
  isBad('Apple rises as Samsung falls', 'Samsung')
  isGood('Tesla up 5%, Ford down 3%', 'Tesla')
  isBad('Tesla up 5%, Ford down 3%', 'Ford')
  isGood('Ford gained 3% and GM lost ground', 'Ford')
  isBad('Ford gained 3% and GM lost ground', 'GM')
  isBad('Shares of Boeing fell after Airbus won a record order', 'Boeing')
  isGood('Shares of Boeing fell after Airbus won a record order', 'Airbus')
  isBad('Bitcoin slips below $30,000 but Ether climbs', 'Bitcoin')
  isGood('Bitcoin slips below $30,000 but Ether climbs', 'Ether')
})

test('a statement about a list is about each of its members', () => {
  for (const name of ['Apple', 'Microsoft']) isBad('Apple, Microsoft slump while Nvidia soars', name)
  isGood('Apple, Microsoft slump while Nvidia soars', 'Nvidia')
})

test('a clause that names nobody else goes on about the same asset', () => {
  assert.ok(
    (around('Apple beats estimates, raises guidance', 'Apple') ?? 0) > (around('Apple beats estimates', 'Apple') ?? 0),
  )
  isBad('Nokia, which makes network gear, tumbled 9% after a profit warning', 'Nokia')
})

test('what is done to an asset is not what it does', () => {
  isBad('Goldman cuts Tesla to sell', 'Tesla')
  isBad('Apple sues Samsung', 'Samsung')
  assert.equal(around('Apple sues Samsung', 'Apple'), null)
  isBad('Pfizer beats Merck', 'Merck')
})

test('clauses that say nothing, no spans and spans outside the text give null', () => {
  assert.equal(around('Intel holds its annual meeting; Samsung falls', 'Intel'), null)
  assert.equal(assetSentiment('Apple rises', []), null)
  assert.equal(assetSentiment('Apple rises', [{ start: 500, end: 510 }]), null)
  assert.equal(assetSentiment('', [{ start: 0, end: 0 }]), null)
})

test('any text with any spans gives null or a score within bounds', () => {
  const span = fc.record({ start: fc.nat(60), end: fc.nat(60) })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(span), (text, spans) => {
      const value = assetSentiment(text, spans)
      assert.ok(value === null || (value >= -1 && value <= 1))
    }),
  )
  const long = 'Apple rises, Samsung falls as '.repeat(660)
  const cpuMs = cpuTimer()
  assetSentiment(
    long,
    Array.from({ length: 660 }, (_, i) => ({ start: i * 30, end: i * 30 + 5 })),
  )
  assert.ok(cpuMs() < 5000)
})
