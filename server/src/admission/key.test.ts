import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../test/cpu-time.ts'
import { runs } from '../../test/depth.ts'
import { bearerSecret, createSecret, DEMO_KEY, hashSecret, prefixOf } from './key.ts'

const FORMAT = /^mtk_[0-9A-Za-z]{44}$/

describe('a new key', () => {
  const secrets = Array.from({ length: 2_000 }, createSecret)

  test('is mtk_ and 44 random characters (spec 2.3)', () => {
    for (const secret of secrets) assert.match(secret, FORMAT)
    assert.equal(new Set(secrets).size, secrets.length)
  })

  test('uses all 62 characters equally often', () => {
    const counts = new Map<string, number>()
    for (const character of secrets.map((secret) => secret.slice(4)).join('')) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    assert.equal(counts.size, 62)
    const expected = (secrets.length * 44) / 62
    // Eight standard deviations: chance never fails this, a modulo bias of 256 % 62 does.
    const tolerance = 8 * Math.sqrt(expected)
    for (const [character, count] of counts) assert.ok(Math.abs(count - expected) < tolerance, `${character}: ${count}`)
  })

  test('has its first 12 characters as prefix', () => {
    assert.equal(prefixOf('mtk_12345678abcdefgh'), 'mtk_12345678')
    for (const secret of secrets) {
      assert.equal(prefixOf(secret).length, 12)
      assert.ok(secret.startsWith(prefixOf(secret)))
    }
  })

  test('is accepted in a header', () => {
    for (const secret of secrets) assert.equal(bearerSecret(`Bearer ${secret}`), secret)
  })
})

describe('the hash of a key', () => {
  const secret = createSecret()

  test('is deterministic and differs for another key or pepper', () => {
    const hash = hashSecret(secret, 'pepper')
    assert.equal(hashSecret(secret, 'pepper'), hash)
    assert.notEqual(hashSecret(secret, 'peppes'), hash)
    assert.notEqual(hashSecret(createSecret(), 'pepper'), hash)
  })

  test('is HMAC-SHA-256 in base64url, on which stored keys depend', () => {
    assert.equal(hashSecret(DEMO_KEY, 'a pepper of the test'), 'wnp-Y-yy_HkW7C5jDmKq8hqDPXVNAEI9toznkghvyo0')
    assert.match(hashSecret(secret, 'pepper'), /^[\w-]{43}$/)
  })

  test('contains no part of the key', () => {
    const hash = hashSecret(secret, 'pepper')
    assert.ok(!hash.includes(secret.slice(4, 12)))
  })
})

describe('the Authorization header', () => {
  const secret = createSecret()

  test('the demo key is mtk_demo and is accepted', () => {
    assert.equal(DEMO_KEY, 'mtk_demo')
    assert.equal(bearerSecret('Bearer mtk_demo'), 'mtk_demo')
  })

  test('Bearer may be in any case and followed by several spaces', () => {
    for (const header of [`bearer ${secret}`, `BEARER ${secret}`, `Bearer   ${secret}`]) {
      assert.equal(bearerSecret(header), secret)
    }
  })

  test('a missing or malformed header holds no key', () => {
    const malformed = [
      undefined,
      '',
      ' ',
      'Bearer',
      'Bearer ',
      secret,
      `Basic ${secret}`,
      `Bearer${secret}`,
      `Bearer\t${secret}`,
      `Bearer: ${secret}`,
      `Bearer "${secret}"`,
      `Bearer <${secret}>`,
      `Bearer ${secret} `,
      `Bearer ${secret}\n`,
      ` Bearer ${secret}`,
      `Bearer ${secret}, Bearer ${secret}`,
      `Bearer ${secret} ${secret}`,
      `Bearer ${secret}x`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret.slice(0, -1)}-`,
      `Bearer ${secret.slice(0, -1)}é`,
      `Bearer ${secret.slice(0, -1)}\0`,
      `Bearer ${secret.slice(4)}`,
      `Bearer sk_${secret.slice(4)}`,
      'Bearer mtk_',
      'Bearer mtk_demo1',
      'Bearer mtk_dem',
      'Bearer mtk_<DEMO_KEY>',
    ]
    for (const header of malformed) assert.equal(bearerSecret(header), undefined, JSON.stringify(header))
  })

  test('whatever is sent, the result has the format of a key', () => {
    const nearly = fc
      .tuple(fc.constantFrom('Bearer ', 'bearer  ', ''), fc.constantFrom('mtk_', ''), fc.string({ maxLength: 60 }))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly), (header) => {
        const read = bearerSecret(header)
        assert.ok(read === undefined || read === DEMO_KEY || FORMAT.test(read))
      }),
      { numRuns: runs(100, 1_000) },
    )
  })

  test('a header of a megabyte is refused within a second', () => {
    const cpuMs = cpuTimer()
    assert.equal(bearerSecret(`Bearer${' '.repeat(1_000_000)}`), undefined)
    assert.equal(bearerSecret(`Bearer mtk_${'a'.repeat(1_000_000)}`), undefined)
    assert.ok(cpuMs() < 1_000)
  })
})
