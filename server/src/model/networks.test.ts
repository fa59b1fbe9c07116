/** Compares lists of networks with arithmetic on 128-bit numbers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { Networks, parseNetwork } from './networks.ts'

/** Networks of few bits that differ, so that many addresses match. */
const someGroup = fc.constantFrom(0, 1, 2, 0x7fff, 0x8000, 0xffff)
const someV4 = fc
  .array(fc.constantFrom(0, 1, 10, 127, 128, 255), { minLength: 4, maxLength: 4 })
  .map((bytes) => bytes.join('.'))
const someV6 = fc
  .array(someGroup, { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'))
const someMapped = someV4.map((address) => `::ffff:${address}`)
const someAddress = fc.oneof(someV4, someV6, someMapped)
const someNetwork = fc
  .oneof(
    fc.tuple(someV4, fc.option(fc.integer({ min: 0, max: 32 }))),
    fc.tuple(fc.oneof(someV6, someMapped), fc.option(fc.integer({ min: 0, max: 128 }))),
  )
  .map(([address, prefix]) => (prefix === null ? address : `${address}/${prefix}`))

/** IPv4 addresses are those within ::ffff:0:0/96. */
function numberOf(address: string): bigint {
  const v4 = address.replace('::ffff:', '').split('.')
  if (v4.length === 4) return v4.reduce((sum, byte) => sum * 256n + BigInt(byte), 0xffffn)
  return address.split(':').reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function rangeOf(network: string): [first: bigint, last: bigint] {
  const [address = '', prefix] = network.split('/')
  const own = address.includes(':') ? 128 : 32
  const free = BigInt(own - Number(prefix ?? own))
  const first = (numberOf(address) >> free) << free
  return [first, first + (1n << free) - 1n]
}

test('an address is in a list if it is in one of its networks', () => {
  fc.assert(
    fc.property(fc.array(someNetwork, { maxLength: 4 }), someAddress, (networks, address) => {
      const at = numberOf(address)
      const expected = networks.map(rangeOf).some(([first, last]) => first <= at && at <= last)
      assert.equal(new Networks(networks).has(address), expected)
    }),
    { numRuns: runs(2_000, 50_000) },
  )
})

test('a network that a list includes has no address outside of it', () => {
  fc.assert(
    fc.property(fc.array(someNetwork, { maxLength: 4 }), someNetwork, (networks, inner) => {
      const [first, last] = rangeOf(inner)
      const isCovered = networks.map(rangeOf).some((outer) => outer[0] <= first && last <= outer[1])
      const isIncluded = new Networks(networks).includes(inner)
      if (isIncluded) assert.ok(isCovered)
      // Networks of different families are never compared.
      const family = (network: string) => network.includes(':')
      if (isCovered && networks.every((network) => family(network) === family(inner))) assert.ok(isIncluded)
    }),
    { numRuns: runs(2_000, 50_000) },
  )
})

test('other texts are no networks and no addresses', () => {
  for (const text of [
    '',
    '/',
    '/8',
    '10',
    '10.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8.0',
    '010.0.0.1',
    '::1/129',
    '::1/ 1',
    'fe80::1%eth0',
    ' ::1',
    '[::1]',
    'localhost',
    '*',
  ]) {
    assert.equal(parseNetwork(text), undefined, text)
    assert.equal(new Networks(['0.0.0.0/0', '::/0']).includes(text), false, text)
  }
  for (const text of ['', 'unknown', '10.0.0.0/8']) assert.equal(new Networks(['0.0.0.0/0']).has(text), false, text)
})
