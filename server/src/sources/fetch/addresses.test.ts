import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { checkHost, isPublic, publicLookup } from './addresses.ts'
import { FetchError } from './fetch-error.ts'

/** The first and the last address of ranges that no public host has. */
const RANGES: readonly [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['224.0.0.0', '255.255.255.255'],
]

const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const toAddress = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
const toWords = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`

const privateNumber = fc
  .constantFrom(...RANGES)
  .chain(([first, last]) => fc.integer({ min: toNumber(first), max: toNumber(last) }))

const nobody = () => false
const isRefused = (error: unknown) => error instanceof FetchError && error.kind === 'private'
const hostOf = (host: string) => new URL(`http://${host}/`).hostname

describe('addresses', () => {
  test('no form of a private IPv4 address is public', () => {
    fc.assert(
      fc.property(privateNumber, (value) => {
        const forms = [
          toAddress(value),
          `::ffff:${toAddress(value)}`,
          `::ffff:${toWords(value)}`,
          `::${toAddress(value)}`,
          `64:ff9b::${toWords(value)}`,
          `64:ff9b:1::${toWords(value)}`,
          `2002:${toWords(value)}::1`,
        ]
        for (const form of forms) {
          assert.ok(isIP(form) !== 0, form)
          assert.equal(isPublic(form), false, form)
        }
      }),
    )
  })

  test('hosts in decimal, octal, hexadecimal and short forms are refused like the address they mean', () => {
    fc.assert(
      fc.property(privateNumber, (value) => {
        const parts = toAddress(value).split('.').map(Number)
        const hosts = [
          String(value),
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
          parts.map((part) => `0${part.toString(8)}`).join('.'),
          parts.map((part) => `0x${part.toString(16)}`).join('.'),
          `${parts[0]}.${value & 0xffffff}`,
          `${toAddress(value)}.`,
          `[::ffff:${toAddress(value)}]`,
        ]
        for (const host of hosts) assert.throws(() => checkHost(hostOf(host), nobody), isRefused, host)
      }),
    )
  })

  test('addresses right before and after the ranges are public', () => {
    for (const [first, last] of RANGES.slice(1, -1)) {
      for (const value of [toNumber(first) - 1, toNumber(last) + 1]) assert.ok(isPublic(toAddress(value)))
    }
    for (const address of ['2606:4700::1111', '2a00:1450:4001::200e', '::ffff:8.8.8.8']) assert.ok(isPublic(address))
  })

  test('private, link-local, multicast and documentation addresses of IPv6 are not public', () => {
    const addresses = ['::', '::1', 'fc00::1', 'fdff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'ff02::1']
    for (const address of [...addresses, '2001:db8::1', '2001::1', '100::1', '3fff::1']) {
      assert.equal(isPublic(address), false, address)
    }
  })

  test('a text that is not an address is not public', () => {
    for (const text of ['', 'example.com', '1.2.3', '1.2.3.4.5']) assert.equal(isPublic(text), false, text)
  })

  test('names are not refused before they are looked up', () => {
    checkHost('localhost', nobody)
    checkHost('example.com', nobody)
  })

  for (const isAll of [true, false]) {
    test(`a name with private addresses is refused after DNS${isAll ? ', also if all addresses are asked for' : ''}`, async () => {
      const refused = await lookup('localhost', nobody, isAll)
      assert.ok(isRefused(refused.error), String(refused.error))
      const allowed = await lookup('localhost', (host) => host === 'localhost', isAll)
      assert.equal(allowed.error, null)
      assert.ok(allowed.found.length > 0)
    })
  }
})

function lookup(host: string, isAllowed: (host: string) => boolean, all: boolean) {
  return new Promise<{ error: unknown; found: unknown }>((resolve) => {
    publicLookup(isAllowed)(host, { all }, (error, found) => resolve({ error, found }))
  }).then(({ error, found }) => ({ error, found: found as string | object[] }))
}
