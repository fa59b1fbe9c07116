import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, NO_PRICES, reportOf, START, saleOf, stakeOf, tradeOf } from '../../../test/signal-history.ts'
import type { InsiderTrade } from '../../model/sec/insider-trades.ts'
import type { SignalChange } from '../../model/signals.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { EVENT_ITEMS } from './event-items.ts'
import type { Observation } from './observation.ts'
import { DEFAULT_THRESHOLDS } from './thresholds.ts'

function observe(...history: Observation[]): SignalChange[] {
  const detection = new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: () => 'Apple' })
  return history.flatMap((observation) => detection.observe(observation, NO_PRICES))
}

const summaryOf = (changes: readonly SignalChange[]) =>
  changes.map(({ type, signal }) => [type, signal.kind, signal.secRecords.map(({ id }) => id).join(' ')])

const purchase = (owner: string, day: number, fields: Partial<InsiderTrade> = {}) =>
  tradeOf(`${owner}-${day}`, START + day * DAY, { ownerCik: owner, ...fields })

test('three insiders who buy within two weeks are a signal, and more buyers strengthen it', () => {
  const changes = observe(purchase('a', 0), purchase('b', 4), purchase('c', 9), purchase('d', 10), purchase('e', 11))
  assert.deepEqual(summaryOf(changes), [
    ['new', 'insider_cluster_buy', 'a-0 b-4 c-9'],
    ['update', 'insider_cluster_buy', 'a-0 b-4 c-9 d-10 e-11'],
  ])
  assert.equal(changes[0]?.signal.title, '3 insiders of Apple buy shares')
  assert.equal(changes[0]?.signal.metrics?.value, 300_000)
  assert.equal(changes[1]?.signal.id, changes[0]?.signal.id)
  assert.equal(changes[1]?.signal.expiresAt, changes[0]?.signal.expiresAt)
})

test('no signal: too far apart, too little, one owner, a joint filing, mere shareholders, not on the open market', () => {
  assert.deepEqual(observe(purchase('a', 0), purchase('b', 8), purchase('c', 15)), [])
  assert.deepEqual(observe(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { value: 50_000 }))), [])
  assert.deepEqual(observe(purchase('a', 0), purchase('a', 1), purchase('a', 2), purchase('a', 3)), [])
  const joint = { accessionNumber: 'joint' }
  assert.deepEqual(observe(...['a', 'b', 'c', 'd'].map((owner) => purchase(owner, 1, joint))), [])
  assert.deepEqual(observe(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { isDirector: false }))), [])
  assert.deepEqual(observe(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { isOpenMarket: false }))), [])
  assert.deepEqual(observe(...['a', 'b', 'c'].map((owner) => purchase(owner, 1, { assetKey: null }))), [])
})

const sale = (id: string, day: number, fields: Partial<InsiderTrade> = {}) =>
  saleOf(id, START + day * DAY, { shares: 20_000, value: 2_000_000, sharesOwnedAfter: 30_000, ...fields })

test('a sale is large by its value and by its share of the holding', () => {
  const [change] = observe(sale('a', 0))
  assert.equal(change?.signal.kind, 'insider_large_sale')
  assert.equal(change.signal.direction, 'bearish')
  assert.equal(change.signal.title, 'Director of Apple sells shares for $2.0 million')
  assert.match(change.signal.summary, /^Apple: Jane Roe \(director\) sold 40% of a holding for \$2\.0 million/)
  assert.deepEqual(observe(sale('a', 0, { value: 900_000 })), [])
  assert.deepEqual(observe(sale('a', 0, { sharesOwnedAfter: 1_000_000 })), [])
  assert.deepEqual(observe(sale('a', 0, { sharesOwnedAfter: null })), [])
})

test('the title of a sale has the role of the seller if it is short and meaningful', () => {
  const titleOf = (officerTitle: string) => observe(sale('a', 0, { officerTitle }))[0]?.signal.title
  assert.equal(titleOf('Chief Executive Officer'), 'Chief Executive Officer of Apple sells shares for $2.0 million')
  assert.equal(titleOf('See Remarks'), 'Insider of Apple sells shares for $2.0 million')
  assert.match(titleOf('President, Chief Executive Officer and Secretary') ?? '', /^Insider of Apple/)
})

test('a sale under a trading plan has less confidence', () => {
  const [open] = observe(sale('a', 0))
  const [planned] = observe(sale('a', 0, { is10b5One: true }))
  assert.ok((planned?.signal.confidence ?? 1) < (open?.signal.confidence ?? 0))
})

test('the records of one filing add up to one signal, and a sale by another insider supersedes it', () => {
  const filing = { accessionNumber: 'filing' }
  const changes = observe(
    sale('line-1', 0, { ...filing, lineNumber: 1 }),
    sale('line-2', 0, { ...filing, lineNumber: 2, sharesOwnedAfter: 10_000 }),
    sale('other', 2, { ownerCik: 'other' }),
  )
  assert.deepEqual(summaryOf(changes), [
    ['new', 'insider_large_sale', 'line-1'],
    ['update', 'insider_large_sale', 'line-1 line-2'],
    ['new', 'insider_large_sale', 'other'],
  ])
  assert.equal(changes[1]?.signal.metrics?.value, 4_000_000)
  const last = changes[2]
  assert.deepEqual(last?.type === 'new' && last.supersedes, [changes[0]?.signal.id])
})

test('an ordinary sale is no signal if insiders often sell that much', () => {
  const usual = Array.from({ length: 8 }, (_, day) =>
    sale(`usual-${day}`, day * 10, { ownerCik: `owner-${day}`, value: 2_500_000, sharesOwnedAfter: 1_000_000 }),
  )
  assert.deepEqual(observe(...usual, sale('ordinary', 85)), [])
  const [change] = observe(...usual, sale('huge', 85, { value: 40_000_000 }))
  assert.equal(change?.signal.metrics?.baseline, 2_500_000)
  assert.ok((change?.signal.metrics?.zScore ?? 0) > 1)
})

test('an amendment corrects the trade it amends and yields no signal', () => {
  const amendment = { isAmendment: true, supersedesId: 'a', value: 2_100_000 }
  assert.equal(observe(sale('a', 0), sale('a2', 1, amendment)).length, 1)
  assert.deepEqual(observe(sale('a2', 1, amendment)), [])
  assert.deepEqual(observe(sale('a', 0, { supersededById: 'a2' })), [])
  const bought = [purchase('a', 0), purchase('b', 1, { value: 10_000 })]
  const corrected = purchase('b', 2, { isAmendment: true, supersedesId: 'b-1', value: 90_000 })
  const [change] = observe(...bought, corrected, purchase('c', 3, { value: 20_000 }))
  assert.equal(change?.signal.metrics?.value, 210_000)
})

test('a Schedule 13D is a signal if it is the first of its holder or the stake has grown', () => {
  const stake = (id: string, day: number, percent: number, isAmendment = false) =>
    stakeOf(id, START + day * DAY, { maxPercentOfClass: percent, isAmendment })
  const [first, ...rest] = observe(stake('a', 0, 6.2), stake('b', 5, 6.5, true), stake('c', 9, 6.1, true))
  assert.deepEqual(rest, [])
  assert.equal(first?.signal.title, 'Some Fund takes 6.2% of Apple')
  const grown = observe(stake('a', 0, 6.2), stake('b', 5, 8.4, true), stake('c', 60, 10, true))
  assert.deepEqual(summaryOf(grown), [
    ['new', 'activist_stake', 'a'],
    ['update', 'activist_stake', 'a b'],
    ['new', 'activist_stake', 'b c'],
  ])
  assert.match(grown[1]?.signal.summary ?? '', /disclosed 8\.4% of the shares on a Schedule 13D, up from 6\.2%\.$/)
  assert.deepEqual(grown[1]?.signal.metrics, { value: 8.4, baseline: 6.2, zScore: null, window: '180d' })
  assert.deepEqual(observe(stake('a', 0, 4.9)), [])
  assert.deepEqual(observe(stake('a', 0, 9, true)), [])
  assert.deepEqual(observe(stakeOf('a', START, { isActivist: false, schedule: '13G' })), [])
  const other = stakeOf('z', START + DAY, { reportingPersons: [] })
  const changes = observe(stake('a', 0, 6), other)
  assert.deepEqual(changes[1]?.type === 'new' && changes[1].supersedes, [changes[0]?.signal.id])
})

test('a report counts by its heaviest item; votes, exhibits and amendments do not', () => {
  const [change] = observe(reportOf('a', START, ['9.01', '5.02', '4.02']))
  assert.equal(change?.signal.strength, EVENT_ITEMS['4.02']?.weight)
  assert.equal(change?.signal.direction, 'bearish')
  assert.equal(change?.signal.title, 'Apple reports that earlier statements cannot be relied on')
  assert.deepEqual(observe(reportOf('a', START, ['5.07', '8.01', '9.01'])), [])
  assert.deepEqual(observe(reportOf('a', START, ['4.02'], { isAmendment: true })), [])
  assert.deepEqual(observe(reportOf('a', START, ['4.02'], { assetKey: null })), [])
  assert.deepEqual(observe(reportOf('a', START, ['4.02'], { filedAt: isoTime(START - 5 * DAY) })), [])
  assert.equal(observe(reportOf('a', START, ['2.02']), reportOf('b', START + HOUR, ['5.02'])).length, 2)
})

test('if an item may be good or bad, the news of the day decides', () => {
  const news = [0.4, 0.5, 0.6].map((sentimentScore, index) =>
    entryOf({ id: `entry-${index}`, at: START - HOUR, sentimentScore, publisherId: `p${index}` }),
  )
  const [change] = observe(...news, reportOf('a', START, ['2.02']))
  assert.equal(change?.signal.direction, 'bullish')
  assert.equal(change.signal.entryIds.length, 3)
  assert.match(
    change.signal.summary,
    /; news of the last 24 hours about Apple leans positive \(\+0\.50, 3 entries\)\.$/,
  )
  const calm = news.map((entry) => ({ ...entry, sentimentScore: 0.05 }))
  const [open] = observe(...calm, reportOf('a', START, ['2.02']))
  assert.match(open?.signal.summary ?? '', /leans neither way \(\+0\.05, 3 entries\)\.$/)
  const [alone] = observe(...news.slice(1), reportOf('a', START, ['2.02']))
  const { confidence, openConfidence } = DEFAULT_THRESHOLDS.material_event
  for (const neutral of [open, alone]) {
    assert.equal(neutral?.signal.direction, 'neutral')
    assert.equal(neutral.signal.confidence, openConfidence)
  }
  assert.equal(change.signal.confidence, confidence)
  const [known] = observe(...news, reportOf('a', START, ['4.02']))
  assert.equal(known?.signal.direction, 'bearish')
})
