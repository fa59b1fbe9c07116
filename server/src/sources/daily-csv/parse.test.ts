import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { STOOQ, TIINGO_CSV, TIINGO_JSON } from '../../../test/vendor-answers.ts'
import { ParseError } from '../answer.ts'
import { parseDailyCsv } from './parse.ts'

const parse = (text: string) => parseDailyCsv(Buffer.from(text))
const rowsOf = (text: string) =>
  parse(text).candles.map(({ openedAt, open, high, low, close, volume }) => [
    new Date(openedAt).toISOString().slice(0, 10),
    ...[open, high, low, close, volume],
  ])

const ROWS = [
  ['2026-01-02', 100, 110.5, 95, 105, 2500],
  ['2026-01-05', 105, 106, 104, 104.5, 1800],
]

describe('daily CSV', () => {
  test('Stooq, Tiingo as CSV and Tiingo as JSON are the same candles, with prices as traded', () => {
    for (const text of [STOOQ, TIINGO_CSV, TIINGO_JSON]) assert.deepEqual(rowsOf(text), ROWS)
  })

  for (const [name, text] of Object.entries({
    'a byte order mark': `\ufeff${STOOQ}`,
    'upper case': STOOQ.toUpperCase(),
    'blank lines': `\n${STOOQ.replaceAll('\r\n', '\r\n\r\n')} \n,,,,,\n`,
    'quoted fields': STOOQ.replaceAll(/[^,\r\n]+/g, '"$&"'),
    'semicolons and decimal commas': STOOQ.replaceAll(',', ';').replaceAll('.', ','),
    tabs: STOOQ.replaceAll(',', '\t'),
    'grouped digits': STOOQ.replace('2500', '"2,500"').replace('1800', '"1,800"'),
    'decimal commas and grouped digits': STOOQ.replaceAll(',', ';').replaceAll('.', ',').replace('2500', '2.500'),
    'dates without separators': STOOQ.replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, '$1$2$3'),
    'German dates': STOOQ.replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, '$3.$2.$1'),
    'the header of stooq.pl': STOOQ.replace(/.*/, 'Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen'),
    'the header of bulk files': STOOQ.replace(/.*/, '<DATE>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>'),
    'newest first': `${STOOQ.split('\r\n')[0]}\n${STOOQ.split('\r\n')[2]}\n${STOOQ.split('\r\n')[1]}`,
  })) {
    test(`${name}: the same candles`, () => assert.deepEqual(rowsOf(text), ROWS))
  }

  test('a missing volume is 0', () => {
    const noColumn = 'Date,Open,High,Low,Close\n2026-01-02,1,2,1,2\n'
    const empty = 'Date,Open,High,Low,Close,Volume\n2026-01-02,1,2,1,2,\n'
    for (const text of [noColumn, empty]) assert.deepEqual(rowsOf(text), [['2026-01-02', 1, 2, 1, 2, 0]])
  })

  test('numbers and dates with two meanings are rejected', () => {
    const { candles, rejected } = parse(
      'Date;Open;High;Low;Close\n2026-01-02;1,234;1,235;1,233;1,234\n01/02/2026;1;1;1;1\n2026-02-30;1;1;1;1\n2026-01-06;1;1;1;1',
    )
    assert.equal(candles.length, 1)
    assert.deepEqual(rejected, [
      { row: 1, reason: 'open is not readable: "1,234"' },
      { row: 2, reason: 'openedAt is not readable: "01/02/2026"' },
      { row: 3, reason: 'openedAt is not readable: "2026-02-30"' },
    ])
  })

  test('bodies that are not prices are errors that say so', () => {
    for (const [text, message] of [
      ['Get your apikey:\n\n1. Open https://stooq.com/q/d/?s=spy.us&get_apikey', /Get your apikey/],
      ['No data', /no columns date, open, high, low, close; it starts with "No data"/],
      ['\n<!DOCTYPE html><html></html>', /web page/],
      ['{"detail":"Not found."}', /error of the service: Not found\./],
      [' \n', /empty/],
    ] as const) {
      assert.throws(
        () => parse(text),
        (error) => error instanceof ParseError && message.test(error.message),
      )
    }
  })
})
