import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { runs } from '../../test/depth.ts'
import { detailsOf, fieldsOf, refusalOf } from '../../test/refusal.ts'
import { EntryListQuery } from '../api/entries/schema.ts'
import { ApiError } from '../model/errors.ts'
import { parseInstant } from '../model/instant.ts'
import * as param from './params.ts'
import { queryReader } from './query.ts'

const readEntries = queryReader(EntryListQuery)
const readOther = queryReader(
  Type.Object({
    limit: param.limit(),
    offset: param.offset(),
    page: param.page(),
    search: param.search(),
    name: param.text('A text'),
    numbers: param.integerList('Whole numbers'),
    kinds: param.textList('Texts'),
    isOpen: param.flag('A flag'),
    priceMin: param.number(0, 1_000_000, 'A number'),
    priceMax: param.number(0, 1_000_000, 'A number'),
    seenAfter: param.instant('A time'),
    seenBefore: param.instant('A time'),
  }),
)

const OWN = false
const DEMO = true
const UUID = 'e5c1c4bd-3be1-5b9b-bc65-d4a517880a2e'

describe('query: defaults', () => {
  test('an own key gets 50 and the default sort, the demo key 3', () => {
    assert.deepEqual(readEntries('', OWN), { limit: 50, sortBy: 'createdAt:desc' })
    assert.deepEqual(readEntries('', DEMO), { limit: 3, sortBy: 'createdAt:desc' })
    assert.deepEqual(readOther('', OWN), { limit: 50, offset: 0, page: 1 })
  })

  test('what one request reads does not reach the next', () => {
    const first = readEntries('', OWN)
    first.limit = 7
    first.more = 'x'
    assert.deepEqual(readEntries('', OWN), { limit: 50, sortBy: 'createdAt:desc' })
  })

  test('names that are not parameters are ignored, whatever they hold', () => {
    for (const raw of [
      'x=1',
      'LIMIT=0',
      'limit[]=0',
      'limit.x=0',
      '__proto__=1',
      'constructor=1&toString=2',
      '&&=&=1',
    ]) {
      assert.deepEqual(readEntries(raw, OWN), readEntries('', OWN), raw)
    }
  })
})

describe('query: limit', () => {
  for (const [raw, limit] of [
    ['1', 1],
    ['50', 50],
    ['100', 100],
    ['101', 100],
    ['1000000', 100],
    ['9'.repeat(400), 100],
    ['007', 7],
    ['%2B5', 5],
  ] as const) {
    test(`own key with limit ${raw.slice(0, 12)} gets ${limit}`, () => {
      assert.equal(readEntries(`limit=${raw}`, OWN).limit, limit)
    })
  }

  for (const raw of ['0', '-1', '-0', '1.5', '1.0', 'abc', '1e2', '1e400', '', '%20', '+', '5x', '0x10', 'NaN']) {
    test(`limit "${raw}" is 400 for own keys and for the demo key`, () => {
      assert.deepEqual(
        fieldsOf(() => readEntries(`limit=${raw}`, OWN)),
        ['limit'],
      )
      assert.deepEqual(
        fieldsOf(() => readEntries(`limit=${raw}`, DEMO)),
        ['limit'],
      )
    })
  }

  for (const raw of ['Infinity', '-Infinity', '٣', '１', '1,2', 'null', 'undefined', 'true', '1_0', '-101']) {
    test(`limit "${raw}" is 400`, () =>
      assert.deepEqual(
        fieldsOf(() => readEntries(`limit=${raw}`, OWN)),
        ['limit'],
      ))
  }

  test('demo key with limit 3 is served', () => assert.equal(readEntries('limit=3', DEMO).limit, 3))

  for (const raw of ['4', '100', '101', '9'.repeat(400)]) {
    test(`demo key with limit ${raw.slice(0, 12)} gets 400, not a trimmed page`, () => {
      const [detail] = detailsOf(() => readEntries(`limit=${raw}`, DEMO))
      assert.equal(detail?.field, 'limit')
      assert.match(detail?.message ?? '', /at most 3/)
    })
  }
})

describe('query: the demo key', () => {
  const ownKeyParams = Object.entries(EntryListQuery.properties)
    .filter(([, schema]) => 'x-own-key' in schema)
    .map(([name]) => name)

  test('everything that spec 4.3 marks as own key is so marked, except paging', () => {
    assert.deepEqual(ownKeyParams.toSorted(), [
      'asOf',
      'assetId',
      'assetKey',
      'author',
      'countryCode',
      'hasAssets',
      'language',
      'publishedAfter',
      'publishedBefore',
      'publisherId',
      'publisherSlug',
      'sentimentScoreMax',
      'sentimentScoreMin',
      'sortBy',
      'symbol',
      'ticker',
      'topicId',
      'topicSlug',
    ])
  })

  for (const name of ownKeyParams) {
    test(`${name} is dropped unread: good, bad, empty, or given twice`, () => {
      for (const raw of ['true', 'x', '', '%00', `x&${name}=y`, UUID]) {
        assert.deepEqual(readEntries(`${name}=${raw}`, DEMO), readEntries('', DEMO), raw)
      }
    })
  }

  for (const name of ['after', 'before']) {
    test(`${name} is 400, good or bad`, () => {
      for (const raw of ['x', '', `x&${name}=y`]) {
        assert.deepEqual(
          fieldsOf(() => readEntries(`${name}=${raw}`, DEMO)),
          [name],
        )
      }
    })
  }

  for (const raw of ['offset=0', 'offset=1', 'offset=x', 'page=1', 'page=2', 'page=']) {
    test(`${raw} is 400`, () => {
      assert.deepEqual(
        fieldsOf(() => readOther(raw, DEMO)),
        [raw.split('=')[0]],
      )
    })
  }

  test('search is read', () => assert.equal(readEntries('search=gold', DEMO).search, 'gold'))
})

/** For each kind of parameter: its name, what is read, and what is refused. */
describe('query: every kind of parameter', () => {
  const kinds: Record<string, { good: [string, unknown][]; bad: string[] }> = {
    offset: {
      good: [
        ['0', 0],
        ['10000000', 10_000_000],
      ],
      bad: ['-1', '10000001', '1.5', 'x', '', '1e400'],
    },
    page: { good: [['7', 7]], bad: ['0', '-1', '1000001', '1.5', 'x', ''] },
    isOpen: {
      good: [
        ['true', true],
        ['false', false],
      ],
      bad: ['TRUE', '1', '0', 'yes', '', 'true,false', ' true'],
    },
    priceMin: {
      good: [
        ['0', 0],
        ['1.5', 1.5],
        ['.5', 0.5],
        ['5.', 5],
        ['1e3', 1_000],
        ['1E%2B3', 1_000],
        ['1e-400', 0],
        ['1000000', 1_000_000],
      ],
      bad: ['-0.1', '1000000.1', '1e400', '-1e400', 'Infinity', 'NaN', '0x10', '1,5', '1.2.3', 'e5', '.', '', '%201'],
    },
    numbers: {
      good: [
        ['1', [1]],
        ['1,2,1', [1, 2]],
        ['3, 4 ,5', [3, 4, 5]],
        ['-7', [-7]],
        [Array.from({ length: 20 }, (_, index) => index).join(), Array.from({ length: 20 }, (_, index) => index)],
      ],
      bad: ['', ',', '1,', ',1', '1,,2', '1.5', '1,x', '9'.repeat(400), `${'1,'.repeat(20)}1`],
    },
    kinds: {
      good: [
        ['a', ['a']],
        ['a,b', ['a', 'b']],
        ['a%2Cb', ['a', 'b']],
        ['+a+,+b+c+', ['a', 'b c']],
        ['a,a,a', ['a']],
      ],
      bad: ['', ' ', 'a,,b', 'a,', 'a,%00', `${'a,'.repeat(20)}a`, 'a'.repeat(1_001)],
    },
    name: {
      good: [
        ['a', 'a'],
        ['a+b', 'a b'],
        ['%C3%A9', 'é'],
        ['é😀', 'é😀'],
        ['a=b=c', 'a=b=c'],
        ['%26%3D%25', '&=%'],
        ['a'.repeat(1_000), 'a'.repeat(1_000)],
      ],
      bad: ['', 'a'.repeat(1_001), '%00', 'a%00b', 'a\0b', '\ud800', 'a\udc00b'],
    },
    search: {
      good: [
        ['', undefined],
        ['++', undefined],
        ['%09%0A', undefined],
        ['+a+', ' a '],
        ['%22a%20b%22%20-c', '"a b" -c'],
      ],
      bad: ['a'.repeat(1_001), 'a%00', '\ud800'],
    },
  }

  for (const [name, { good, bad }] of Object.entries(kinds)) {
    for (const [raw, value] of good) {
      test(`${name}=${JSON.stringify(raw.slice(0, 30))} is read`, () => {
        assert.deepEqual(readOther(`${name}=${raw}`, OWN)[name], value)
      })
    }
    for (const raw of bad) {
      test(`${name}=${JSON.stringify(raw.slice(0, 30))} is 400 and names the field`, () => {
        assert.deepEqual(
          fieldsOf(() => readOther(`${name}=${raw}`, OWN)),
          [name],
        )
      })
    }
    test(`${name} given more than once is 400`, () => {
      const raw = good.at(-1)?.[0]
      assert.deepEqual(
        fieldsOf(() => readOther(`${name}=${raw}&x=1&${name}=${raw}`, OWN)),
        [name],
      )
    })
  }

  test('sortBy is one of the sort orders of spec 4.3', () => {
    for (const sort of ['createdAt:desc', 'createdAt:asc', 'publishedAt:desc', 'publishedAt:asc']) {
      assert.equal(readEntries(`sortBy=${sort}`, OWN).sortBy, sort)
      assert.equal(readEntries(`sortBy=${encodeURIComponent(sort)}`, OWN).sortBy, sort)
    }
    for (const sort of [
      'createdAt',
      'CREATEDAT:DESC',
      'title:asc',
      'createdAt:desc,publishedAt:asc',
      '',
      'constructor',
    ]) {
      assert.deepEqual(
        fieldsOf(() => readEntries(`sortBy=${sort}`, OWN)),
        ['sortBy'],
      )
    }
  })

  test('a UUID is a UUID, in letters of either case', () => {
    assert.deepEqual(readEntries(`assetId=${UUID}`, OWN).assetId, [UUID])
    assert.equal(Object.hasOwn(readEntries(`assetId=${UUID.toUpperCase()},${UUID}`, OWN), 'assetId'), true)
    for (const raw of ['1', UUID.slice(1), `${UUID}0`, `{${UUID}}`, UUID.replaceAll('-', ''), `${UUID},x`]) {
      assert.deepEqual(
        fieldsOf(() => readEntries(`topicId=${raw}`, OWN)),
        ['topicId'],
      )
    }
  })

  test('keys and country codes are read in capitals, slugs and languages in small letters', () => {
    assert.deepEqual(readEntries('assetKey=aapl,Msft,AAPL', OWN).assetKey, ['AAPL', 'MSFT'])
    assert.deepEqual(readEntries('countryCode=us', OWN).countryCode, ['US'])
    assert.deepEqual(readEntries('topicSlug=Central-Banks', OWN).topicSlug, ['central-banks'])
    assert.deepEqual(readEntries('language=EN', OWN).language, ['en'])
  })

  test('sentiment goes from -1 to 1', () => {
    assert.equal(readEntries('sentimentScoreMin=-1', OWN).sentimentScoreMin, -1)
    assert.equal(readEntries('sentimentScoreMax=1', OWN).sentimentScoreMax, 1)
    assert.deepEqual(
      fieldsOf(() => readEntries('sentimentScoreMin=-1.01&sentimentScoreMax=1.01', OWN)),
      ['sentimentScoreMin', 'sentimentScoreMax'],
    )
  })

  test('every field that is wrong is named, not only the first', () => {
    const raw = 'limit=0&hasAssets=x&assetId=y&publishedAfter=z&language='
    assert.deepEqual(
      fieldsOf(() => readEntries(raw, OWN)),
      ['limit', 'hasAssets', 'assetId', 'language', 'publishedAfter'],
    )
  })

  test('a parameter without a default that is not optional is missing, also beside wrong ones', () => {
    const read = queryReader(Type.Object({ path: Type.String(), limit: param.limit(), search: param.search() }))
    assert.deepEqual(read('path=/x', OWN), { limit: 50, path: '/x' })
    for (const raw of ['', 'search=x'])
      assert.deepEqual(
        fieldsOf(() => read(raw, OWN)),
        ['path'],
      )
    assert.deepEqual(
      fieldsOf(() => read('limit=0', OWN)),
      ['limit', 'path'],
    )
  })

  test('a message never repeats what was sent', () => {
    const { message } = refusalOf(() => readEntries('limit=<script>&sortBy=<script>&assetId=<script>', OWN))
    assert.doesNotMatch(message, /script/)
  })
})

describe('query: percent-encoding', () => {
  for (const raw of ['%', '%4', '%zz', '%C3', '%C3%28', '%ED%A0%80', '%F5%80%80%80', '%C0%80', '%FF']) {
    test(`${raw} is 400, in a value, in a name, and for a name that is not a parameter`, () => {
      for (const query of [`search=${raw}`, `${raw}=1`, `unknown=${raw}`, `limit=1&search=a${raw}.b`]) {
        assert.equal(refusalOf(() => readEntries(query, OWN)).details, undefined)
        refusalOf(() => readEntries(query, DEMO))
      }
    })
  }

  test('an encoded name is the name', () => assert.equal(readEntries('%6Cimit=7', OWN).limit, 7))
})

describe('query: ranges', () => {
  for (const [raw, field] of [
    ['sentimentScoreMin=0.5&sentimentScoreMax=0.4', 'sentimentScoreMin'],
    ['publishedAfter=2026-02-01&publishedBefore=2026-01-31', 'publishedAfter'],
    ['publishedBefore=2026-01-31&publishedAfter=2026-01-31T00:00:00.001Z', 'publishedAfter'],
  ] as const) {
    test(`reversed: ${raw} is 400`, () =>
      assert.deepEqual(
        fieldsOf(() => readEntries(raw, OWN)),
        [field],
      ))
  }

  test('a range of one value is no mistake, nor is half a range', () => {
    readEntries('sentimentScoreMin=0.5&sentimentScoreMax=0.5', OWN)
    readEntries('publishedAfter=2026-01-31&publishedBefore=2026-01-31T01:00%2B01:00', OWN)
    readEntries('publishedAfter=9999-12-31', OWN)
    readEntries('sentimentScoreMax=-1', OWN)
  })

  test('a reversed range does not matter to the demo key, for which it is not read', () => {
    assert.deepEqual(readEntries('sentimentScoreMin=1&sentimentScoreMax=-1', DEMO), readEntries('', DEMO))
  })
})

describe('query: times', () => {
  const read = (raw: string) => readEntries(`publishedAfter=${raw}`, OWN).publishedAfter

  for (const [raw, iso] of [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:15', '2026-01-31T09:30:15.000Z'],
    ['2026-01-31T09:30:15Z', '2026-01-31T09:30:15.000Z'],
    ['2026-01-31t09:30:15z', '2026-01-31T09:30:15.000Z'],
    ['2026-01-31T09:30:15.5Z', '2026-01-31T09:30:15.500Z'],
    ['2026-01-31T09:30:15.123456789Z', '2026-01-31T09:30:15.123Z'],
    ['2026-01-31T09:30:15-05:00', '2026-01-31T14:30:15.000Z'],
    ['2026-01-31T09:30:15%2B02:00', '2026-01-31T07:30:15.000Z'],
    ['2026-01-31T09:30:15+02:00', '2026-01-31T07:30:15.000Z'],
    ['2026-01-31T09:30:15+0230', '2026-01-31T07:00:15.000Z'],
    ['2026-01-31T00:00-00:00', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T24:00', '2026-02-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T09%3A30', '2026-01-31T09:30:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const) {
    test(`${raw} is ${iso}`, () => assert.equal(read(raw), Date.parse(iso)))
  }

  for (const raw of [
    '',
    'now',
    'yesterday',
    '2026',
    '2026-01',
    '2026-1-31',
    '26-01-31',
    '2026-02-30',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-01-31T',
    '2026-01-31T9:30',
    '2026-01-31T25:00',
    '2026-01-31T24:01',
    '2026-01-31T09:60',
    '2026-01-31T09:30:60',
    '2026-01-31T09:30Zulu',
    '2026-01-31T09:30:15.Z',
    '2026-01-31T09:30%2B24:00',
    '2026-01-31T09:30%2B02',
    '2026-01-31Z',
    '2026-01-31%2009:30',
    '%202026-01-31',
    '2026-01-31%0A',
    '2026/01/31',
    '31.01.2026',
    'Sat, 31 Jan 2026 09:30:00 GMT',
    '1769851800000',
    '-2026-01-31',
    '%2B002026-01-31',
    '2026-W05-6',
    '２０２６-01-31',
    '2026-01-31,2026-02-01',
  ]) {
    test(`"${raw}" is 400`, () =>
      assert.deepEqual(
        fieldsOf(() => read(raw)),
        ['publishedAfter'],
      ))
  }

  test('every time written by JavaScript is read as itself', () => {
    const time = fc.date({
      min: new Date('0000-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    fc.assert(fc.property(time, (date) => assert.equal(parseInstant(date.toISOString()), date.getTime())))
  })

  test('every day of four centuries is read, and no other', () => {
    for (let year = 1900; year < 2300; year += 1) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
          const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
          const expected = isReal ? Date.UTC(year, month - 1, day) : undefined
          if (parseInstant(text) !== expected) assert.fail(text)
        }
      }
    }
  })

  function daysOf(year: number, month: number): number {
    if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
    return [4, 6, 9, 11].includes(month) ? 30 : 31
  }
})

describe('query: any text', () => {
  const names = fc.constantFrom(
    ...Object.keys(EntryListQuery.properties),
    'offset',
    'page',
    'priceMin',
    'numbers',
    '__proto__',
  )
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.double().map(String),
    fc.integer().map(String),
    fc.uuid(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('%', '%00', '%ED%A0%80', ',', 'true', 'createdAt:asc', '2026-02-30', '1e400'),
  )
  const pairs = fc.array(fc.tuple(names, values).map(([name, value]) => `${name}=${value}`)).map((all) => all.join('&'))

  for (const [whose, isDemo] of [
    ['own', OWN],
    ['demo', DEMO],
  ] as const) {
    test(`is read or refused with BAD_REQUEST and nothing else, for the ${whose} key`, () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webQueryParameters(), pairs), (raw) => {
          for (const read of [readEntries, readOther]) {
            try {
              const { limit } = read(raw, isDemo)
              assert.ok(typeof limit === 'number' && limit >= 1 && limit <= (isDemo ? 3 : 100))
            } catch (error) {
              assert.ok(error instanceof ApiError, String(error))
              assert.equal(error.code, 'BAD_REQUEST')
            }
          }
        }),
        { numRuns: runs(60, 1_500) },
      )
    })
  }
})
