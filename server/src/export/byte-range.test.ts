import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRange } from './byte-range.ts'

test('a range selects the bytes that it names, as far as the file has them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(60), fc.nat(60), (size, first, last) => {
      const bytes = Array.from({ length: size }, (_, place) => place)
      const named = bytes.filter((place) => place >= first && place <= last)
      const read = () => readRange(`bytes=${first}-${last}`, size)
      if (last < first) assert.equal(read(), undefined)
      else if (named.length === 0) assert.throws(read, RangeError)
      else assert.deepEqual(read(), { start: named[0], end: named.at(-1) })
      if (first < size) assert.deepEqual(readRange(`bytes=${first}-`, size), { start: first, end: size - 1 })
      else assert.throws(() => readRange(`bytes=${first}-`, size), RangeError)
      if (last > 0)
        assert.deepEqual(readRange(`bytes=-${last}`, size), { start: Math.max(0, size - last), end: size - 1 })
      else assert.throws(() => readRange('bytes=-0', size), RangeError)
    }),
  )
})

test('anything else means the whole file', () => {
  for (const header of [
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=0-1,3-4',
    'bytes=a-b',
    'lines=0-1',
    'bytes=1.5-2',
  ]) {
    assert.equal(readRange(header, 10), undefined)
  }
})
