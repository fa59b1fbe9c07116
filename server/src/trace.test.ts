import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTraceparent } from './trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('a valid traceparent is read, also of a later version', () => {
  const trace = { traceId: TRACE, parentId: SPAN, isSampled: true, traceparent: `00-${TRACE}-${SPAN}-01` }
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-01`), trace)
  assert.deepEqual(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-holds`), trace)
  assert.equal(parseTraceparent(`00-${TRACE}-${SPAN}-00`)?.isSampled, false)
})

test('any other header is ignored', () => {
  for (const header of [
    undefined,
    '',
    'x',
    [`00-${TRACE}-${SPAN}-01`],
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    ` 00-${TRACE}-${SPAN}-01`,
  ]) {
    assert.equal(parseTraceparent(header), undefined, String(header))
  }
})
