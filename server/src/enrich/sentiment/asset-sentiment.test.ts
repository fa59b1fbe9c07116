import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { assetSentiment } from './asset-sentiment.ts'

function scoreOf(text: string, name: string): number | null {
  const start = text.indexOf(name)
  return assetSentiment(text, [{ start, end: start + name.length }])
}

const isGood = (text: string, name: string) =>
  assert.ok((scoreOf(text, name) ?? 0) > 0, `${scoreOf(text, name)} ${name}: ${text}`)
const isBad = (text: string, name: string) =>
  assert.ok((scoreOf(text, name) ?? 0) < 0, `${scoreOf(text, name)} ${name}: ${text}`)

test('each of two assets is scored by its own clause', () => {
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

test('a statement about a list applies to each asset in it', () => {
  for (const name of ['Apple', 'Microsoft']) isBad('Apple, Microsoft slump while Nvidia soars', name)
  isGood('Apple, Microsoft slump while Nvidia soars', 'Nvidia')
})

test('a clause that names no other asset counts for the previous one', () => {
  assert.ok(
    (scoreOf('Apple beats estimates, raises guidance', 'Apple') ?? 0) >
      (scoreOf('Apple beats estimates', 'Apple') ?? 0),
  )
  isBad('Nokia, which makes network gear, tumbled 9% after a profit warning', 'Nokia')
})

test('the object of an attack or a defeat scores differently from its subject', () => {
  isBad('Goldman cuts Tesla to sell', 'Tesla')
  isBad('Apple sues Samsung', 'Samsung')
  assert.equal(scoreOf('Apple sues Samsung', 'Apple'), null)
  isBad('Pfizer beats Merck', 'Merck')
})

test('clauses without evidence, no spans and spans outside the text yield null', () => {
  assert.equal(scoreOf('Intel holds its annual meeting; Samsung falls', 'Intel'), null)
  assert.equal(assetSentiment('Apple rises', []), null)
  assert.equal(assetSentiment('Apple rises', [{ start: 500, end: 510 }]), null)
  assert.equal(assetSentiment('', [{ start: 0, end: 0 }]), null)
})

test('any text with any spans yields null or a score from -1 to 1', () => {
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
