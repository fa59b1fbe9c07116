import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSignal } from '../../../test/signals.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'
import { DEFAULT_THRESHOLDS } from '../detect/thresholds.ts'
import { verdictOn } from './outcomes.ts'

const FOUND = Date.parse('2026-03-02T10:00:00.000Z')
const END = FOUND + DAY
const known = { createdAt: isoTime(FOUND), updatedAt: isoTime(FOUND) }
const signal = { ...newSignal(FOUND), assetId: '', status: 'expired' as const, ...known }
const close = (closedAt: number, price = 102) => ({ closedAt, price })

const verdict = (known: Parameters<typeof verdictOn>[1], now: number, given = signal) =>
  verdictOn(given, known, DEFAULT_THRESHOLDS.outcome, now)
const settled = (outcome: object | null) => ({ type: 'settled', id: signal.id, outcome })

test('the last price before the expiry counts once later candles exist', () => {
  assert.deepEqual(
    verdict({ close: close(END), pricedUntil: END }, END),
    settled({ evaluatedAt: isoTime(END), returnPercent: 2, isHit: true }),
  )
})

test('evaluation waits for late candles, at most an hour if there are some', () => {
  const known = { close: close(END - MINUTE), pricedUntil: END - MINUTE }
  assert.deepEqual(verdict(known, END), { type: 'waits', id: signal.id, dueAt: END + HOUR })
  assert.deepEqual(
    verdict(known, END + HOUR),
    settled({ evaluatedAt: isoTime(END + HOUR), returnPercent: 2, isHit: true }),
  )
})

test('evaluation waits a week for a market without candles, then there is no outcome', () => {
  const known = { close: close(FOUND), pricedUntil: FOUND }
  assert.deepEqual(verdict(known, END + 2 * DAY), { type: 'waits', id: signal.id, dueAt: END + 2 * DAY + HOUR })
  assert.equal(verdict(known, END + 7 * DAY - MINUTE).type, 'waits')
  assert.deepEqual(verdict(known, END + 7 * DAY), settled(null))
  assert.deepEqual(verdict({ close: undefined, pricedUntil: undefined }, END + 7 * DAY), settled(null))
})

test('there is no outcome if nothing was traded before the expiry', () => {
  assert.deepEqual(verdict({ close: close(FOUND - HOUR), pricedUntil: END + DAY }, END + DAY), settled(null))
})

test('a signal without a reference price has no outcome at once', () => {
  const known = { close: undefined, pricedUntil: undefined }
  assert.deepEqual(verdict(known, END, { ...signal, referencePrice: null }), settled(null))
})
