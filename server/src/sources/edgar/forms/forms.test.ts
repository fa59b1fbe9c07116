import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  EIGHT_K,
  FORM_144,
  FORM_D,
  OWNERSHIP,
  SCHEDULE_13D_HTML,
  SCHEDULE_13G,
  THIRTEEN_F_TABLE,
  thirteenFCover,
} from '../../../../test/edgar-answers.ts'
import { parseBeneficialOwnership } from './beneficial-ownership.ts'
import { parseEightK } from './eight-k.ts'
import { eightKItem } from './eight-k-items.ts'
import { parseForm144 } from './form-144.ts'
import { parseFormD } from './form-d.ts'
import { parseOwnership } from './ownership.ts'
import { parseThirteenF } from './thirteen-f.ts'

const bytes = (text: string) => Buffer.from(text)

describe('Form 4', () => {
  const rows = parseOwnership(bytes(OWNERSHIP))
  const [holding, sale, exercise] = rows

  test('rows are in the order of the filing, of the first owner, with all owners', () => {
    assert.deepEqual(
      rows.map(({ lineNumber, isHolding, isDerivative, ownerName, owners }) => [
        ...[lineNumber, isHolding, isDerivative, ownerName],
        owners.map(({ name, isOfficer, isTenPercentOwner }) => [name, isOfficer, isTenPercentOwner]),
      ]),
      [
        [1, true, false],
        [2, false, false],
        [3, false, true],
      ].map((row) => [
        ...row,
        'Quill Ada',
        [
          ['Quill Ada', true, false],
          ['Quill Family Trust', false, true],
        ],
      ]),
    )
    assert.equal(sale?.officerTitle, 'CEO & President')
  })

  test('the header adds the accession number and the acceptance time in UTC', () => {
    assert.deepEqual(
      [sale?.accessionNumber, sale?.formType, sale?.filedAt, sale?.filingDate, sale?.periodOfReport],
      ['0001234567-26-000042', '4/A', '2026-03-04T00:30:15.000Z', '2026-03-03', '2026-02-27'],
    )
    assert.deepEqual([sale?.cik, sale?.ticker, sale?.is10b5One], ['0001700000', 'PEBL', true])
    assert.equal(
      sale?.filingUrl,
      'https://www.sec.gov/Archives/edgar/data/1700000/000123456726000042/0001234567-26-000042-index.htm',
    )
  })

  test('an amendment names the day of the filing that it replaces', () => {
    assert.deepEqual(
      [sale?.isAmendment, sale?.amendment],
      [true, { number: null, effect: 'replaces', accessionNumber: null, filingDate: '2026-03-01' }],
    )
  })

  test('a sale has its amounts, and the notes of all its fields', () => {
    assert.deepEqual(
      [sale?.transactionType, sale?.isOpenMarket, sale?.shares, sale?.pricePerShare, sale?.value],
      ['sale', true, 1250.5, 10.04, 12_555.02],
    )
    assert.deepEqual([sale?.sharesOwnedAfter, sale?.ownershipType, sale?.ownershipNature], [0, 'direct', null])
    assert.deepEqual(sale?.footnotes, [
      { id: 'F1', text: 'Sold under a plan <of 2025>.' },
      { id: 'F2', text: 'Held with R&D Partners.' },
    ])
  })

  test('a holding has only what is held', () => {
    assert.deepEqual(
      [holding?.transactionCode, holding?.transactionType, holding?.shares, holding?.sharesOwnedAfter],
      [null, 'other', null, 500],
    )
    assert.deepEqual([holding?.ownershipType, holding?.ownershipNature], ['indirect', 'By trust'])
  })

  test('a value that is only a note, and a day that does not exist, are null', () => {
    assert.deepEqual([exercise?.pricePerShare, exercise?.value, exercise?.exercisePrice], [null, null, 2.5])
    assert.deepEqual(
      [exercise?.transactionDate, exercise?.exerciseDate, exercise?.expirationDate],
      ['2026-02-27', null, null],
    )
    assert.deepEqual([exercise?.underlyingShares, exercise?.ownershipType], [100, null])
    assert.deepEqual(
      exercise?.footnotes.map(({ id }) => id),
      ['F1', 'F9'],
    )
  })

  test('prefixes, case, encoding and a header on one line do not matter', () => {
    const xml = OWNERSHIP.slice(OWNERSHIP.indexOf('<ownershipDocument>'), OWNERSHIP.indexOf('</XML>'))
    const prefixed = xml.replaceAll(/<(\/?)([a-z])/g, '<$1x:$2').replace('CEO', 'C\u00c9O')
    const [, row] = parseOwnership(Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?>\n${prefixed}`, 'latin1'))
    assert.deepEqual([row?.shares, row?.officerTitle, row?.accessionNumber], [1250.5, 'C\u00c9O & President', null])
    const header =
      '<SUBMISSION><ACCESSION-NUMBER>0001234567-26-000042<TYPE>4<FILING-DATE>20260303<DOCUMENT><TYPE>4<TEXT>'
    const [, inLine] = parseOwnership(bytes(header + xml.replaceAll('\n', ' ')))
    assert.deepEqual(
      [inLine?.accessionNumber, inLine?.filingDate, inLine?.shares],
      ['0001234567-26-000042', '2026-03-03', 1250.5],
    )
  })

  test('a file that is cut off or something else is an error', () => {
    assert.throws(() => parseOwnership(bytes(OWNERSHIP.slice(0, 3_000))), /cut off/)
    assert.throws(() => parseOwnership(bytes(EIGHT_K)), /is a form 8-K, no Form 3, 4 or 5/)
    assert.throws(() => parseOwnership(bytes('<html>Request Rate Threshold Exceeded</html>')), /refuses the request/)
  })
})

describe('13F', () => {
  const sumOf = (text: string) => {
    const { cover, holdings } = parseThirteenF(bytes(text))
    return [holdings.reduce((sum, { valueUsd }) => sum + valueUsd, 0), cover?.tableValueTotalUsd, cover?.valueUnit]
  }
  const submission = (cover: string, table = THIRTEEN_F_TABLE) =>
    `<DOCUMENT><TYPE>13F-HR<TEXT>${cover}</TEXT></DOCUMENT><DOCUMENT><TYPE>INFORMATION TABLE<TEXT>${table}</TEXT></DOCUMENT>`
  const inThousands = THIRTEEN_F_TABLE.replace('>40000<', '>40<').replace('>15000<', '>15<')

  test('the sum of the table is the total of the cover, in dollars', () => {
    const recent = thirteenFCover({ period: '12-31-2025', signed: '02-10-2026', total: 55_000 })
    assert.deepEqual(sumOf(submission(recent)), [55_000, 55_000, 'dollars'])
    const old = thirteenFCover({ period: '12-31-2021', signed: '02-10-2022', total: 55 })
    assert.deepEqual(sumOf(submission(old, inThousands)), [55_000, 55_000, 'thousands'])
  })

  test('prices that make no sense outweigh the date', () => {
    const early = thirteenFCover({ period: '12-31-2021', signed: '02-10-2022', total: 55_000 })
    assert.deepEqual(sumOf(submission(early)), [55_000, 55_000, 'dollars'])
    const late = thirteenFCover({ period: '12-31-2025', signed: '02-10-2026', total: 55 })
    assert.deepEqual(sumOf(submission(late, inThousands)), [55_000, 55_000, 'thousands'])
  })

  test('a report of an old quarter that was filed late is in dollars', () => {
    const { cover } = parseThirteenF(bytes(thirteenFCover({ period: '12-31-2020', signed: '05-31-2023', total: 900 })))
    assert.deepEqual([cover?.periodOfReport, cover?.tableValueTotalUsd], ['2020-12-31', 900])
  })

  test('a table alone has its holdings', () => {
    const { cover, holdings } = parseThirteenF(bytes(THIRTEEN_F_TABLE))
    assert.equal(cover, null)
    const [, second] = holdings
    assert.deepEqual(
      [second?.issuerName, second?.cusip, second?.shares, second?.shareType, second?.valueUsd, second?.votingSole],
      ['R&D CORP', '037833100', 100, 'SH', 15_000, 100],
    )
  })

  test('an amendment replaces the table or adds to it', () => {
    const effectOf = (amendment: string) => {
      const given = { period: '12-31-2025', signed: '02-10-2026', total: 1, amendment }
      return parseThirteenF(bytes(thirteenFCover(given))).cover?.amendment
    }
    assert.deepEqual([effectOf('RESTATEMENT')?.effect, effectOf('RESTATEMENT')?.number], ['replaces', 2])
    assert.equal(effectOf('NEW HOLDINGS')?.effect, 'adds')
  })
})

test('Schedule 13G in XML: persons, percents, and the filing that it amends', () => {
  const stake = parseBeneficialOwnership(bytes(SCHEDULE_13G))
  assert.deepEqual(
    [stake.schedule, stake.isActivist, stake.eventDate, stake.cusips, stake.maxPercentOfClass],
    ['13G', false, '2026-03-31', ['037833100'], 5.1],
  )
  assert.deepEqual(stake.reportingPersons, [
    {
      name: 'Quiet Capital LLC',
      cik: null,
      type: 'IA, PN',
      citizenship: 'DE',
      sharesOwned: 1000,
      percentOfClass: 5.1,
    },
  ])
  assert.equal(stake.amendment?.accessionNumber, '0001234567-25-000001')
})

test('Schedule 13D in HTML: the cover pages and the header', () => {
  const stake = parseBeneficialOwnership(bytes(SCHEDULE_13D_HTML))
  assert.deepEqual(
    [stake.schedule, stake.formType, stake.cik, stake.eventDate, stake.amendment?.number],
    ['13D', 'SC 13D/A', '0001700000', '2024-03-01', 4],
  )
  assert.deepEqual([stake.securityTitle, stake.cusips], ['Common Stock, par value $0.01', ['037833100']])
  assert.deepEqual(
    stake.reportingPersons.map(({ name, cik, sharesOwned, percentOfClass, type }) => [
      ...[name, cik, sharesOwned, percentOfClass, type],
    ]),
    [
      ['Quiet Capital LLC', '0001700009', 1_234_567, 9.8, 'OO'],
      ['Ada Quill', null, 2_000_000, 12.5, 'IN'],
    ],
  )
})

test('Form D: an indefinite amount is null', () => {
  const offering = parseFormD(bytes(FORM_D))
  assert.deepEqual(
    [offering.companyName, offering.totalOfferingAmount, offering.totalAmountSold, offering.firstSaleDate],
    ['Moss & Fern Fund, LP', null, 0, null],
  )
  assert.deepEqual(
    [offering.securityTypes, offering.relatedPersons],
    [['Pooled Investment Fund Interests'], [{ name: 'Moss GP, LLC', relationships: ['Promoter'] }]],
  )
  assert.equal(offering.amendment?.accessionNumber, '0001700005-25-000001')
})

test('Form 144: the planned sale', () => {
  const [sale] = parseForm144(bytes(FORM_144))
  assert.deepEqual(
    [sale?.sellerName, sale?.relationships, sale?.units, sale?.marketValue, sale?.approxSaleDate, sale?.broker],
    ['Ada Quill', ['Officer', 'Director'], 500, 5020.5, '2026-03-04', 'Broker LLC'],
  )
})

describe('8-K', () => {
  test('items, exhibits and the text', () => {
    const report = parseEightK(bytes(EIGHT_K))
    assert.deepEqual([report.filedAt, report.cik], ['2026-03-05T21:15:00.000Z', '0001700000'])
    assert.deepEqual(
      report.items.map(({ code }) => code),
      ['5.02', '9.01'],
    )
    assert.deepEqual(
      report.documents.map(({ sequence, type, description, url }) => [
        sequence,
        type,
        description,
        url?.split('/').at(-1),
      ]),
      [
        [1, '8-K', null, 'pebl-8k.htm'],
        [2, 'EX-99.1', 'PRESS RELEASE', 'ex991.htm'],
      ],
    )
    assert.equal(report.text, 'Item 5.02 Departure of Directors\nAda Quill resigns & leaves on 1 April.')
  })

  test('without items in the header, those of the text count', () => {
    const report = parseEightK(bytes(EIGHT_K.replaceAll(/ITEM INFORMATION.*\n/g, '')))
    assert.deepEqual(
      report.items.map(({ code }) => code),
      ['5.02'],
    )
  })

  test('titles of headers differ from those of the form', () => {
    const codes = [
      'Material Modifications to Rights of Security Holders',
      'Cost Associated with Exit or Disposal Activities',
      'Triggering Events That Accelerate or Increase a Direct Financial Obligation under an Off-Balance Sheet Arrangement',
      "Changes in Registrant's Certifying Accountant",
      'Other Events',
    ].map((title) => eightKItem(title, '2020-01-02').code)
    assert.deepEqual(codes, ['3.03', '2.05', '2.04', '4.01', '8.01'])
  })

  test('items before August 2004 have their old numbers', () => {
    assert.deepEqual(eightKItem('Other events', '2003-01-02'), { code: '5', title: 'Other Events' })
    assert.deepEqual(eightKItem('Other events', '2005-01-02'), { code: '8.01', title: 'Other Events' })
    assert.equal(eightKItem('12', '2004-01-02').title, 'Results of Operations and Financial Condition')
  })
})
