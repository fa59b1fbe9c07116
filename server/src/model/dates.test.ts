import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDate, unixTime } from './dates.ts'
import { DAY, isoTime } from './time.ts'

/** Dates of feeds and the moments they mean. */
const DATES: Record<string, string[]> = {
  '2004-01-01T19:48:21.000Z': [
    // RFC 822 and 2822, with wrong weekdays, missing parts and obsolete zones
    'Thu, 01 Jan 2004 19:48:21 GMT',
    'Thu, 1 Jan 2004 19:48:21 +0000',
    'Fri, 01 Jan 04 19:48:21 UT',
    '01 Jan 2004 19:48:21 Z',
    'Thu, 01 January 2004 19:48:21',
    'Thu,01 Jan 2004 19:48:21GMT',
    'Thu, 01 Jan 2004 21:48:21 +02:00',
    'Thu, 01 Jan 2004 21:48:21 +2',
    'Thu, 01 Jan 2004 21:48:21 GMT+0200',
    'Thu, 01 Jan 2004 14:48:21 EST',
    'Thu, 01 Jan 2004 14:48:21 -0500 (EST)',
    'Thu, 01 Jan 2004 15:48:21 EDT',
    'Thu, 01 Jan 2004 14:48:21 ET',
    'Thu, 01 Jan 2004 11:48:21 PST',
    'Thu, 01 Jan 2004 18:48:21 A',
    'Thu, 01 Jan 2004 20:48:21 N',
    'Thu, 01 Jan 2004 20:48:21 CET',
    'Thu, 01 Jan 2004 20:48:21 Europe/Paris',
    'Thu, 01 Jan 2004 19:48:21 Etc/GMT',
    'Thu, 01 Jan 2004 19:48:21 XYZ',
    'Thu, 01 Jan 2004 19:48:21 constructor',
    'Thu, 1 Jan 104 19:48:21 GMT',
    // ISO 8601
    '2004-01-01T19:48:21Z',
    '2004-01-01t19:48:21z',
    '2004-01-01 19:48:21',
    '2004-01-01 19:48:21.0',
    '2004-01-01T19:48:21.0004Z',
    '2004-01-01T20:48:21+01:00',
    '2004-01-01T20:48:21+0100',
    '2004-01-01 20:48:21 +01',
    '2004-1-1 19:48:21 UTC',
    '20040101T194821Z',
    '20040101194821',
    '2004-001T19:48:21Z',
    '04-01-01T19:48:21Z',
    '2004/01/01 19:48:21',
    // asctime and date(1)
    'Thu Jan  1 19:48:21 2004',
    'Thu Jan 1 11:48:21 PST 2004',
    // other programs
    'Thu, 2004/01/01 14:48:21 EST',
    'January 1, 2004, 7:48:21 p.m.',
    'Jan 01 2004 07:48:21PM',
    '1/1/2004 7:48:21 PM',
    '01.01.2004 19:48:21',
    '19:48:21 01 Jan 2004',
    'Thursday, January 01, 2004 19:48:21 GMT',
    // other languages
    '2004년 01월 02일 04:48:21',
    '2004-01-02 오전 4:48:21',
    'Πεμ, 01 Ιαν 2004 14:48:21 EST',
    '2004-január-01T20:48:21+01:00',
    'jeu., 01 janv. 2004 20:48:21 +0100',
    'Do, 01 Jänner 2004 19:48:21 GMT',
    'чт, 01 января 2004 22:48:21 +0300',
    'mar, 01 ene 2004 19:48:21 GMT',
    // Unix time
    '1072986501',
    '1072986501000',
  ],
  '2004-05-25T14:23:17.000Z': ['2004-05-25 오후 11:23:17', '2004년 05월 25일 23:23:17'],
  '2004-07-11T16:00:00.000Z': ['Κυρ, 11 Ιούλ 2004 12:00:00 EDT', 'Κυρ, 11 Ιολ 2004 12:00:00 EDT'],
  '2004-07-13T14:15:00.000Z': ['2004-július-13T9:15-05:00', 'Tue, 13 Jul 2004 10:15 ET'],
  '2003-12-31T00:00:00.000Z': ['2003-12-31', '20031231', '031231', '-03-12-31', '2003-365', '03365', '31 Dec 2003'],
  '2003-12-01T00:00:00.000Z': ['2003-12', '-0312', '-03-12', 'Mon, 1 December 2003', '01 12 2003'],
  '2003-01-01T00:00:00.000Z': ['2003'],
  '2004-07-01T19:48:21.000Z': ['Thu, 31 Jun 2004 19:48:21 GMT'],
  '2004-01-01T01:14:55.000Z': ['2003-12-31T25:14:55Z'],
  '2004-01-01T00:00:00.000Z': ['2003-12-31T24:00:00Z', '2003-12-31T23:59:60Z', '2004-01-01T12:00 AM'],
  '1999-12-31T23:00:00.000Z': ['31 Dec 99 23:00 GMT'],
}

test('reads the dates that feeds contain', () => {
  for (const [moment, texts] of Object.entries(DATES)) {
    for (const text of texts) {
      const epochMs = parseDate(text)
      assert.equal(epochMs === undefined ? undefined : isoTime(epochMs), moment, text)
      assert.equal(parseDate(`\n  ${text.replace(' ', '\t')}\n`), epochMs, text)
    }
  }
})

test('other texts are not dates', () => {
  for (const text of [
    '',
    'today',
    '5 minutes ago',
    'Jan 5',
    '12:30',
    '2004-13-01',
    '2004-01-32',
    '99',
    'x'.repeat(1e6),
  ]) {
    assert.equal(parseDate(text), undefined, text.slice(0, 20))
  }
})

test('a Unix time is in seconds or milliseconds', () => {
  assert.equal(unixTime(1_072_986_501), 1_072_986_501_000)
  assert.equal(unixTime(1_072_986_501_500), 1_072_986_501_500)
})

test('reads back what programs write', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(2049, 11, 31) / 1000 }).map((seconds) => seconds * 1000)
  fc.assert(
    fc.property(moment, (epochMs) => {
      const date = new Date(epochMs)
      for (const text of [
        date.toISOString(),
        date.toUTCString(),
        date.toString(),
        `${date.toISOString().slice(0, -1)}+00:00`,
      ]) {
        assert.equal(parseDate(text), epochMs, text)
      }
    }),
  )
})

test('any text gives a number or undefined', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[\dT:+\-. /Z]*$/), (text, digits) => {
      for (const one of [text, digits]) assert.ok(Number.isInteger(parseDate(one) ?? 0), one)
    }),
  )
})

test('times of any days are formatted as by Date, in any order', () => {
  const time = fc.oneof(fc.integer({ min: 0, max: 300 * DAY }), fc.date({ noInvalidDate: true }).map(Number))
  fc.assert(
    fc.property(fc.array(time, { maxLength: 50 }), (times) => {
      for (const one of times) assert.equal(isoTime(one), new Date(one).toISOString())
    }),
  )
})
