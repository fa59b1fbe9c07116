import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, NO_PRICES, reportOf, START, saleOf, stakeOf, tradeOf } from '../../../test/signal-history.ts'
import type { InsiderTrade } from '../../model/sec/insider-trades.ts'
import type { SignalChange } from '../../model/signals.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { EVENT_ITEMS } from './event-items.ts'
import type { Happening } from './happening.ts'
import { DEFAULT_THRESHOLDS } from './thresholds.ts'

function take(...history: Happening[]): SignalChange[] {
  const detection = new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: () => 'Apple' })
  return history.flatMap((happening) => detection.take(happening, NO_PRICES))
}

const told = (changes: readonly SignalChange[]) =>
  changes.map(({ type, signal }) => [type, signal.kind, signal.secRecords.map(({ id }) => id).join(' ')])

const purchase = (owner: string, day: number, fields: Partial<InsiderTrade> = {}) =>
  tradeOf(`${owner}-${day}`, START + day * DAY, { ownerCik: owner, ...fields })

test('the third insider who buys within two weeks makes a cluster, more buyers make it larger', () => {
  const changes = take(purchase('a', 0), purchase('b', 4), purchase('c', 9), purchase('d', 10), purchase('e', 11))
  assert.deepEqual(told(changes), [
    ['new', 'insider_cluster_buy', 'a-0 b-4 c-9'],
    ['update', 'insider_cluster_buy', 'a-0 b-4 c-9 d-10 e-11'],
  ])
  assert.equal(changes[0]?.signal.title, '3 insiders of Apple buy shares')
  assert.equal(changes[0]?.signal.metrics?.value, 300_000)
  assert.equal(changes[1]?.signal.id, changes[0]?.signal.id)
  assert.equal(changes[1]?.signal.expiresAt, changes[0]?.signal.expiresAt)
})

test('no cluster: too far apart, too little, one owner, a joint filing, mere shareholders, not on the open market', () => {
  assert.deepEqual(take(purchase('a', 0), purchase('b', 8), purchase('c', 15)), [])
  assert.deepEqual(take(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { value: 50_000 }))), [])
  assert.deepEqual(take(purchase('a', 0), purchase('a', 1), purchase('a', 2), purchase('a', 3)), [])
  const joint = { accessionNumber: 'joint' }
  assert.deepEqual(take(...['a', 'b', 'c', 'd'].map((owner) => purchase(owner, 1, joint))), [])
  assert.deepEqual(take(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { isDirector: false }))), [])
  assert.deepEqual(take(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { isOpenMarket: false }))), [])
  assert.deepEqual(take(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { assetKey: null }))), [])
})

const sale = (id: string, day: number, fields: Partial<InsiderTrade> = {}) =>
  saleOf(id, START + day * DAY, { shares: 20_000, value: 2_000_000, sharesOwnedAfter: 30_000, ...fields })

test('a sale is large by its dollars and by its share of the holding', () => {
  const [change] = take(sale('a', 0))
  assert.equal(change?.signal.kind, 'insider_large_sale')
  assert.equal(change.signal.direction, 'bearish')
  assert.equal(change.signal.title, 'Director of Apple sells shares for $2.0 million')
  assert.match(change.signal.summary, /^Apple: Jane Roe \(director\) sold 40% of a holding for \$2\.0 million/)
  assert.deepEqual(take(sale('a', 0, { value: 900_000 })), [])
  assert.deepEqual(take(sale('a', 0, { sharesOwnedAfter: 1_000_000 })), [])
  assert.deepEqual(take(sale('a', 0, { sharesOwnedAfter: null })), [])
})

test('the title of a sale has the role of the seller where it is short and says something', () => {
  const titleOf = (officerTitle: string) => take(sale('a', 0, { officerTitle }))[0]?.signal.title
  assert.equal(titleOf('Chief Executive Officer'), 'Chief Executive Officer of Apple sells shares for $2.0 million')
  assert.equal(titleOf('See Remarks'), 'Insider of Apple sells shares for $2.0 million')
  assert.match(titleOf('President, Chief Executive Officer and Secretary') ?? '', /^Insider of Apple/)
})

test('a sale under a trading plan has less confidence', () => {
  const [open] = take(sale('a', 0))
  const [planned] = take(sale('a', 0, { is10b5One: true }))
  assert.ok((planned?.signal.confidence ?? 1) < (open?.signal.confidence ?? 0))
})

test('lines of one filing add up to one signal, and a sale of somebody else takes its place', () => {
  const filing = { accessionNumber: 'filing' }
  const changes = take(
    sale('line-1', 0, { ...filing, lineNumber: 1 }),
    sale('line-2', 0, { ...filing, lineNumber: 2, sharesOwnedAfter: 10_000 }),
    sale('other', 2, { ownerCik: 'other' }),
  )
  assert.deepEqual(told(changes), [
    ['new', 'insider_large_sale', 'line-1'],
    ['update', 'insider_large_sale', 'line-1 line-2'],
    ['new', 'insider_large_sale', 'other'],
  ])
  assert.equal(changes[1]?.signal.metrics?.value, 4_000_000)
  const last = changes[2]
  assert.deepEqual(last?.type === 'new' && last.supersedes, [changes[0]?.signal.id])
})

test('where insiders sell much all the time, an ordinary sale is no signal', () => {
  const usual = Array.from({ length: 8 }, (_, day) =>
    sale(`usual-${day}`, day * 10, { ownerCik: `owner-${day}`, value: 2_500_000, sharesOwnedAfter: 1_000_000 }),
  )
  assert.deepEqual(take(...usual, sale('ordinary', 85)), [])
  const [change] = take(...usual, sale('huge', 85, { value: 40_000_000 }))
  assert.equal(change?.signal.metrics?.baseline, 2_500_000)
  assert.ok((change?.signal.metrics?.zScore ?? 0) > 1)
})

test('an amendment puts right what it amends and raises nothing', () => {
  const amendment = { isAmendment: true, supersedesId: 'a', value: 2_100_000 }
  assert.equal(take(sale('a', 0), sale('a2', 1, amendment)).length, 1)
  assert.deepEqual(take(sale('a2', 1, amendment)), [])
  assert.deepEqual(take(sale('a', 0, { supersededById: 'a2' })), [])
  const bought = [purchase('a', 0), purchase('b', 1, { value: 10_000 })]
  const corrected = purchase('b', 2, { isAmendment: true, supersedesId: 'b-1', value: 90_000 })
  const [change] = take(...bought, corrected, purchase('c', 3, { value: 20_000 }))
  assert.equal(change?.signal.metrics?.value, 210_000)
})

test('a Schedule 13D is a signal when it is the first of its holder, or the stake has grown', () => {
  const stake = (id: string, day: number, percent: number, isAmendment = false) =>
    stakeOf(id, START + day * DAY, { maxPercentOfClass: percent, isAmendment })
  const [first, ...rest] = take(stake('a', 0, 6.2), stake('b', 5, 6.5, true), stake('c', 9, 6.1, true))
  assert.deepEqual(rest, [])
  assert.equal(first?.signal.title, 'Some Fund takes 6.2% of Apple')
  const grown = take(stake('a', 0, 6.2), stake('b', 5, 8.4, true), stake('c', 60, 10, true))
  assert.deepEqual(told(grown), [
    ['new', 'activist_stake', 'a'],
    ['update', 'activist_stake', 'a b'],
    ['new', 'activist_stake', 'b c'],
  ])
  assert.match(grown[1]?.signal.summary ?? '', /disclosed 8\.4% of the shares on a Schedule 13D, up from 6\.2%\.$/)
  assert.deepEqual(grown[1]?.signal.metrics, { value: 8.4, baseline: 6.2, zScore: null, window: '180d' })
  assert.deepEqual(take(stake('a', 0, 4.9)), [])
  assert.deepEqual(take(stake('a', 0, 9, true)), [])
  assert.deepEqual(take(stakeOf('a', START, { isActivist: false, schedule: '13G' })), [])
  const other = stakeOf('z', START + DAY, { reportingPersons: [] })
  const changes = take(stake('a', 0, 6), other)
  assert.deepEqual(changes[1]?.type === 'new' && changes[1].supersedes, [changes[0]?.signal.id])
})

test('a report counts by its heaviest item; votes, exhibits and amendments do not', () => {
  const [change] = take(reportOf('a', START, ['9.01', '5.02', '4.02']))
  assert.equal(change?.signal.strength, EVENT_ITEMS['4.02']?.weight)
  assert.equal(change?.signal.direction, 'bearish')
  assert.equal(change?.signal.title, 'Apple reports that earlier statements cannot be relied on')
  assert.deepEqual(take(reportOf('a', START, ['5.07', '8.01', '9.01'])), [])
  assert.deepEqual(take(reportOf('a', START, ['4.02'], { isAmendment: true })), [])
  assert.deepEqual(take(reportOf('a', START, ['4.02'], { assetKey: null })), [])
  assert.deepEqual(take(reportOf('a', START, ['4.02'], { filedAt: isoTime(START - 5 * DAY) })), [])
  assert.equal(take(reportOf('a', START, ['2.02']), reportOf('b', START + HOUR, ['5.02'])).length, 2)
})

test('where an item may be good or bad, the news of the day says which', () => {
  const news = [0.4, 0.5, 0.6].map((sentimentScore, index) =>
    entryOf({ id: `entry-${index}`, at: START - HOUR, sentimentScore, publisherId: `p${index}` }),
  )
  const [change] = take(...news, reportOf('a', START, ['2.02']))
  assert.equal(change?.signal.direction, 'bullish')
  assert.equal(change.signal.entryIds.length, 3)
  assert.match(
    change.signal.summary,
    /; news of the last 24 hours about Apple leans positive \(\+0\.50, 3 entries\)\.$/,
  )
  const calm = news.map((entry) => ({ ...entry, sentimentScore: 0.05 }))
  const [open] = take(...calm, reportOf('a', START, ['2.02']))
  assert.match(open?.signal.summary ?? '', /leans neither way \(\+0\.05, 3 entries\)\.$/)
  const [alone] = take(...news.slice(1), reportOf('a', START, ['2.02']))
  const { confidence, openConfidence } = DEFAULT_THRESHOLDS.material_event
  for (const neutral of [open, alone]) {
    assert.equal(neutral?.signal.direction, 'neutral')
    assert.equal(neutral.signal.confidence, openConfidence)
  }
  assert.equal(change.signal.confidence, confidence)
  const [known] = take(...news, reportOf('a', START, ['4.02']))
  assert.equal(known?.signal.direction, 'bearish')
})
