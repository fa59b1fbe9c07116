import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewAsset } from '../../model/assets.ts'
import { companyAssets, type ListedCompany } from './companies.ts'

const company = (ticker: string, given: Partial<ListedCompany> = {}): ListedCompany => ({
  cik: '0001700000',
  ticker,
  name: 'PEBBLE ROBOTICS, INC.',
  exchange: 'Nasdaq',
  formerNames: [],
  countryCode: null,
  lei: null,
  ...given,
})

const asset = (key: string, given: Partial<NewAsset> = {}): NewAsset => ({
  id: key,
  key,
  symbol: key,
  name: 'Pebble Robotics',
  type: 'equity',
  status: 'active',
  exchange: null,
  countryCode: null,
  currency: null,
  cik: null,
  isin: null,
  figi: null,
  lei: null,
  aliases: [],
  formerSymbols: [],
  sector: null,
  industry: null,
  description: null,
  websiteUrl: null,
  ...given,
})

const complete = { isComplete: true }

describe('companies as assets', () => {
  test('every ticker becomes an asset with the CIK and the exchange', () => {
    const changes = companyAssets([company('PEBL'), company('PEBL-W', { exchange: null })], [], complete)
    assert.deepEqual(
      changes.map(({ key, cik, exchange, name, type }) => [key, cik, exchange, name, type]),
      [
        ['PEBL', '0001700000', 'NASDAQ', 'PEBBLE ROBOTICS, INC.', 'equity'],
        ['PEBL-W', '0001700000', null, 'PEBBLE ROBOTICS, INC.', 'equity'],
      ],
    )
  })

  test('the second time nothing changes', () => {
    const listed = [company('PEBL', { formerNames: ['PEBBLE TOYS INC'] })]
    const [first] = companyAssets(listed, [], complete)
    assert.ok(first)
    assert.deepEqual(companyAssets(listed, [asset('PEBL', first as Partial<NewAsset>)], complete), [])
  })

  test('a known asset keeps its name and aliases, and gains what it lacks', () => {
    const known = asset('PEBL', { name: 'Pebble', aliases: ['The Pebble People'], exchange: 'NYSE' })
    const listed = company('PEBL', { formerNames: ['PEBBLE TOYS INC', 'the pebble people'], countryCode: 'US' })
    assert.deepEqual(companyAssets([listed], [known], complete), [
      {
        key: 'PEBL',
        cik: '0001700000',
        countryCode: 'US',
        aliases: ['The Pebble People', 'PEBBLE TOYS INC'],
      },
    ])
  })

  test('a key that belongs to another asset is not taken over', () => {
    const coin = asset('PEBL', { type: 'crypto', name: 'Pebble coin' })
    assert.deepEqual(
      companyAssets([company('PEBL')], [coin], complete).map(({ key, symbol }) => [key, symbol]),
      [['PEBL.US', 'PEBL']],
    )
    const other = asset('PEBL', { cik: '0000000001' })
    assert.equal(companyAssets([company('PEBL')], [other], { isComplete: false })[0]?.key, 'PEBL.US')
  })

  test('a new ticker is the same asset under another symbol', () => {
    const known = asset('TOYS', { cik: '0001700000', exchange: 'NASDAQ' })
    assert.deepEqual(companyAssets([company('PEBL')], [known], complete), [
      { key: 'TOYS', symbol: 'PEBL', formerSymbols: [{ symbol: 'TOYS', from: null, to: null }] },
    ])
  })

  test('a company that is no longer listed is marked, one that returns is active', () => {
    const known = Array.from({ length: 10 }, (_, index) =>
      asset(`T${index}`, { cik: `000000000${index + 1}`, exchange: 'NYSE' }),
    )
    const listed = known.slice(1).map(({ key, cik }) => company(key, { cik: cik ?? '' }))
    assert.deepEqual(companyAssets(listed, known, complete), [{ key: 'T0', status: 'delisted' }])
    const gone = known.map((one) => (one.key === 'T1' ? { ...one, status: 'delisted' as const } : one))
    assert.deepEqual(companyAssets(listed, gone, { isComplete: false }), [{ key: 'T1', status: 'active' }])
  })

  test('a list that lacks many companies delists none', () => {
    const known = Array.from({ length: 10 }, (_, index) => asset(`T${index}`, { cik: `000000000${index + 1}` }))
    assert.deepEqual(
      companyAssets([company('NEW')], known, complete).map(({ key }) => key),
      ['NEW'],
    )
  })

  test('a renamed company has its former name as an alias', () => {
    const known = asset('PEBL', { cik: '0001700000', name: 'Pebble Toys Inc', exchange: 'NASDAQ' })
    assert.deepEqual(companyAssets([company('PEBL', { formerNames: ['PEBBLE TOYS INC'] })], [known], complete), [
      { key: 'PEBL', name: 'PEBBLE ROBOTICS, INC.', aliases: ['PEBBLE TOYS INC', 'Pebble Toys Inc'] },
    ])
  })
})
