import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, totpCode, totpStep } from './totp.ts'

/** Appendix B of RFC 6238: times in seconds with their codes of eight digits. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const
const SECRET = Buffer.from('12345678901234567890')

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of VECTORS) {
    assert.equal(totpCode(SECRET, Math.floor(seconds / 30), 8), code)
    assert.equal(totpStep(SECRET, code.slice(2), seconds * 1_000), Math.floor(seconds / 30))
  }
})

test('codes of the steps before and after are accepted, no others', () => {
  const now = 1_234_567_890_000
  const step = Math.floor(now / 30_000)
  const found = [-2, -1, 0, 1, 2].map((offset) => totpStep(SECRET, totpCode(SECRET, step + offset), now))
  assert.deepEqual(found, [undefined, step - 1, step, step + 1, undefined])
  for (const wrong of ['', '12345', '1234567', 'abcdef', '０００００５']) {
    assert.equal(totpStep(SECRET, wrong, now), undefined)
  }
})

test('base32 is that of RFC 4648, without padding', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, encoded] of Object.entries(vectors)) assert.equal(base32(Buffer.from(text)), encoded)
})
