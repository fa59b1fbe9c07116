import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimer } from '../../../test/cpu-time.ts'
import { runs } from '../../../test/depth.ts'
import { Clusterer, type ClusterInput } from './clusterer.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 2, 2, 12)

let nextKey = 1
function entry(title: string, more: Partial<ClusterInput> = {}): ClusterInput {
  return {
    key: nextKey++,
    title,
    content: '',
    language: 'en',
    publisher: null,
    publishedAt: NOON,
    vector: null,
    ...more,
  }
}

/** Returns the cluster of each entry, numbered in the order of first appearance. */
function place(...entries: ClusterInput[]): number[] {
  const clusterer = new Clusterer()
  for (const each of entries) clusterer.add(each)
  return numbered(entries.map(({ key }) => clusterer.clusterOf(key) ?? -1))
}

function numbered(clusters: readonly number[]): number[] {
  const different = [...new Set(clusters)]
  return clusters.map((cluster) => different.indexOf(cluster) + 1)
}

test('a copy by another publisher joins the cluster, a different event starts a new one', () => {
  assert.deepEqual(
    place(
      entry('Delta cancels hundreds of flights after software outage'),
      entry('UPDATE 1-Delta cancels hundreds of flights after software outage - Reuters'),
      entry('Magnitude 6.1 earthquake shakes eastern Turkey'),
    ),
    [1, 1, 2],
  )
})

test('an entry added twice keeps its cluster', () => {
  const clusterer = new Clusterer()
  const first = entry('Chevron nears deal for shale driller Coterra')
  assert.deepEqual(clusterer.add(first), { cluster: first.key, moved: [] })
  assert.deepEqual(clusterer.add({ ...first, title: 'Something else altogether' }), {
    cluster: first.key,
    moved: [],
  })
  assert.deepEqual(clusterer.membersOf(first.key), [first.key])
})

test('a rephrased headline joins the cluster without vectors', () => {
  assert.deepEqual(
    place(
      entry('Tesla recalls 120,000 vehicles over door latch defect'),
      entry('Faulty door latches force Tesla to recall 120,000 cars'),
    ),
    [1, 1],
  )
})

test('the same headline about another company or quarter starts a new cluster', () => {
  assert.deepEqual(
    place(
      entry('Apple beats Q3 estimates'),
      entry('Intel beats Q3 estimates'),
      entry('Oakfield Bancorp declares quarterly dividend of $0.25 per share'),
      entry('Summit Rail declares quarterly dividend of $0.25 per share'),
      entry('Kestrel Software reports Q2 results'),
      entry('Kestrel Software reports Q1 results'),
    ),
    [1, 2, 3, 4, 5, 6],
  )
})

test('another event of the same company starts a new cluster', () => {
  assert.deepEqual(
    place(
      entry('Boeing machinists vote to strike after rejecting contract'),
      entry('Boeing 737 output to rise after regulator lifts cap'),
    ),
    [1, 2],
  )
})

test('long articles about one event join despite different angles; a similar event does not', () => {
  const flood = entry('River bursts its banks in Valdoria, thousands flee', {
    content:
      'Thousands of people left their homes in the province of Valdoria on Sunday after the Merrin river burst its banks following four days of rain. The civil defence office said that at least eleven people were missing and that the dam at Castel Orno was holding. Soldiers used boats to bring residents of the old town of Pelluna to schools on higher ground. Rail services between Pelluna and the coast were stopped, and the governor asked the capital for tents, drinking water and pumps.',
  })
  const shop = entry('"The water came in minutes": a baker in Pelluna counts her losses', {
    publishedAt: NOON + 20 * HOUR,
    content:
      'When the Merrin came over the wall behind her bakery in the old town of Pelluna, Ilda Soravia had time to carry two sacks of flour upstairs. By Monday the mud in the shop stood knee-high. Neighbours whose houses in Valdoria had been searched by soldiers in boats shared bread in a school, and waited for news of the missing. She is not insured against floods, she said, and nobody has told the residents when the dam at Castel Orno will be safe, or when the railway to the coast will run again.',
  })
  const dam = entry('Ministry approves loan for new dam in the north', {
    publishedAt: NOON + 22 * HOUR,
    content:
      'The ministry of public works approved a loan of 240 million for a dam on the Tessel in the northern highlands, ending two years of talks with lenders. The project is to supply water to three towns and power to a paper mill, and should be finished within five years. Farmers in the valley had asked for a smaller reservoir. A spokesman said that the contract would be put out to tender in spring, and that the design took account of heavier rain than in the past.',
  })
  assert.deepEqual(place(flood, shop, dam), [1, 1, 2])
})

test('a headline that fits any day joins copies of the same day only', () => {
  assert.deepEqual(
    place(
      entry('Stocks close higher'),
      entry('Stocks close higher | CNBC', { publishedAt: NOON + 2 * HOUR }),
      entry('Stocks close higher', { publishedAt: NOON + 24 * HOUR }),
      entry('Stocks close higher', { publishedAt: NOON + 48 * HOUR }),
    ),
    [1, 1, 2, 3],
  )
})

test('a roundup of several events joins none of their clusters', () => {
  assert.deepEqual(
    place(
      entry('Chevron nears $24bn deal for shale driller Coterra'),
      entry('Morning brief: Chevron nears $24bn deal for shale driller Coterra, OPEC+ raises output'),
      entry('OPEC+ raises output again'),
    ),
    [1, 2, 3],
  )
})

test('entries join within 72 hours before or after a cluster', () => {
  const title = 'Hurricane Odette slams into Jamaica with 150 mph winds'
  const hours = [0, 72, -72, 145, -145]
  const entries = hours.map((hour) => entry(title, { publishedAt: NOON + hour * HOUR }))
  assert.deepEqual(place(...entries), [1, 1, 1, 2, 3])
})

test('languages are clustered apart unless the model is multilingual', () => {
  const vector = Float32Array.from({ length: 64 }, (_, index) => Math.sin(index + 1))
  const english = entry('Bitcoin falls below $90,000', { vector })
  const german = entry('Bitcoin fällt unter 90.000 Dollar', { language: 'de', vector })
  assert.deepEqual(place(english, german), [1, 2])
  const clusterer = new Clusterer({ isMultilingual: true })
  assert.deepEqual(numbered([clusterer.add(english).cluster, clusterer.add(german).cluster]), [1, 1])
})

test('a clear headline represents the cluster and stays when a similar one arrives', () => {
  const clusterer = new Clusterer()
  clusterer.add(entry('Why is the Louvre closed? Jewels stolen from Louvre …'))
  clusterer.add(entry('Thieves steal royal jewels from Louvre in Paris'))
  const { cluster } = clusterer.add(entry('Royal jewels stolen from Louvre by thieves in Paris'))
  const chosen = clusterer.representativeOf(cluster)
  assert.equal(chosen?.title, 'Thieves steal royal jewels from Louvre in Paris')
  clusterer.add(entry('Thieves take royal jewels of Louvre in Paris'))
  assert.deepEqual(clusterer.representativeOf(cluster), chosen)
  assert.equal(clusterer.representativeOf(99), null)
})

test('clusters of days no longer reported are dropped; one wrong date drops nothing', () => {
  const clusterer = new Clusterer()
  const first = entry('Hurricane Odette slams into Jamaica with 150 mph winds')
  clusterer.add(first)
  clusterer.add(entry('Fire on Mars', { publishedAt: Date.UTC(2999, 0) }))
  assert.deepEqual(clusterer.membersOf(first.key), [first.key])
  for (let index = 0; index < 3000; index++) {
    clusterer.add(entry(`Wombat${index} Quokka${index} elected`, { publishedAt: NOON + 30 * 24 * HOUR + index }))
  }
  assert.deepEqual(clusterer.membersOf(first.key), [])
})

test('at the maximum number of clusters the least recently updated are dropped', () => {
  const clusterer = new Clusterer({ maxClusters: 10 })
  const added = Array.from(
    { length: 50 },
    (_, index) => clusterer.add(entry(`Wombat${index} Quokka${index} elected`)).cluster,
  )
  assert.equal(clusterer.size, 10)
  assert.deepEqual(
    added.map((cluster) => clusterer.membersOf(cluster).length),
    [...Array(40).fill(0), ...Array(10).fill(1)],
  )
})

const words = fc.constantFrom(
  ...'Apple Intel beats misses estimates Q3 recalls cars storm Odette hits Jamaica Fed holds rates'.split(' '),
)
const titles = fc.oneof(
  { weight: 4, arbitrary: fc.array(words, { minLength: 1, maxLength: 7 }).map((list) => list.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)
const vectors = fc.option(
  fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 8, maxLength: 8 }).map((values) => Float32Array.from(values)),
)
const feeds = fc
  .array(
    fc.record({
      title: titles,
      content: fc.oneof(fc.constant(''), titles),
      language: fc.constantFrom('en', 'en', 'de', ''),
      publisher: fc.constantFrom(null, 1, 2),
      publishedAt: fc.integer({ min: 0, max: 150 }).map((hours) => NOON + hours * HOUR),
      vector: vectors,
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((each, key) => ({ ...each, key })))

test('any feed in any order puts every entry into exactly one cluster', () => {
  fc.assert(
    fc.property(feeds, (feed) => {
      const clusterer = new Clusterer()
      const clusters = new Map<number, number>()
      for (const each of feed) {
        const { cluster, moved } = clusterer.add(each)
        for (const key of [each.key, ...moved]) clusters.set(key, cluster)
      }
      for (const [cluster, members] of Map.groupBy(clusters.keys(), (key) => clusters.get(key) ?? -1)) {
        assert.deepEqual(clusterer.membersOf(cluster).toSorted(ascending), members.toSorted(ascending))
        assert.ok(members.every((key) => clusterer.clusterOf(key) === cluster))
        assert.ok(members.includes(clusterer.representativeOf(cluster)?.key ?? -1))
      }
    }),
    { numRuns: runs(10, 60) },
  )
})

test('a restored clusterer has the same clusters, and without merges it makes the same decisions', () => {
  fc.assert(
    fc.property(feeds, fc.nat(40), (feed, cut) => {
      const steady = new Clusterer()
      const isMerged = feed.slice(0, cut).map((each) => steady.add(each).moved.length > 0)
      const stored = feed.slice(0, cut).map((each) => ({ ...each, cluster: steady.clusterOf(each.key) ?? -1 }))
      const restored = new Clusterer()
      restored.restore(stored)
      for (const { key, cluster } of stored) assert.equal(restored.clusterOf(key), cluster)
      if (isMerged.includes(true)) return
      for (const each of feed.slice(cut)) assert.deepEqual(restored.add(each), steady.add(each))
      for (const { key } of feed) {
        const cluster = steady.clusterOf(key) ?? -1
        assert.deepEqual(restored.membersOf(cluster), steady.membersOf(cluster))
        assert.deepEqual(restored.representativeOf(cluster), steady.representativeOf(cluster))
      }
    }),
    { numRuns: runs(10, 60) },
  )
})

const ascending = (a: number, b: number) => a - b

const LAUNCH = [
  'Skyward Drift review round-up',
  'Skyward Drift servers buckle on launch night',
  'Midnight queues for Skyward Drift in Sydney',
  'How to get the best start in Skyward Drift',
  'Skyward Drift day-one patch is big, studio says',
  'Why Skyward Drift matters for the console makers',
  'Skyward Drift launch trailer arrives',
  'Early Skyward Drift players report bans',
  'Skyward Drift resolution confirmed',
  'Retailers open at midnight for Skyward Drift',
]

test('many headlines that share little but a name tell one event', () => {
  const clusters = place(...LAUNCH.map((title) => entry(title)))
  const largest = Math.max(...Array.from(Map.groupBy(clusters, (each) => each).values(), ({ length }) => length))
  assert.ok(largest >= 8, clusters.join())
})

test('clusters that turn out to tell one event are merged into the larger one', () => {
  const clusterer = new Clusterer()
  let merged = 0
  for (const title of LAUNCH) {
    const added = entry(title)
    const { cluster, moved } = clusterer.add(added)
    merged += moved.length
    const members = clusterer.membersOf(cluster)
    assert.ok([added.key, ...moved].every((key) => members.includes(key)))
    assert.ok(members.length >= 2 * moved.length)
  }
  assert.ok(merged > 0)
})

test('sentences that a publisher repeats make no cluster', () => {
  const notice =
    'This article is for information only and is no investment advice. The Ledger Post and its authors may hold positions in the securities they write about. Subscribe to our newsletter for daily research on growth stocks, dividends and options.'
  const companies = 'Arvello Bexley Corvane Dunmore Ellisport Farrowgate Glenhaven Hartwell Ibexon Jarrowby'.split(' ')
  const news =
    'opens plant,names chairman,buys rival,cuts outlook,wins order,sells unit,sues supplier,hires banker,delays model,raises prices'
  const entries = news
    .split(',')
    .map((did, index) => entry(`${companies[index]} ${did}`, { content: notice, publisher: 7 }))
  assert.equal(new Set(place(...entries)).size, entries.length)
  const others = entries.map((each, index) => ({
    ...each,
    key: nextKey++,
    content: `${companies[index]} said so on Monday in a letter to its staff. ${notice}`,
  }))
  assert.equal(new Set(place(...others)).size, others.length)
})

test('an entry costs as much in a cluster of thousands as in a small one', () => {
  const cpuMsOf = (members: number) => {
    const clusterer = new Clusterer()
    const titled = (index: number) =>
      entry(`Hurricane Odette hits Jamaica, report ${index} of the storm: winds at ${index}`)
    for (let index = 0; index < members; index++) clusterer.add(titled(index))
    const cpuMs = cpuTimer()
    for (let index = 0; index < 300; index++) clusterer.add(titled(members + index))
    return cpuMs()
  }
  cpuMsOf(50)
  const small = cpuMsOf(10)
  const large = cpuMsOf(5000)
  assert.ok(large < 3 * small + 50, `${small} ms in a small cluster, ${large} ms in a large one`)
})

test('hostile texts are clustered in bounded time', () => {
  const clusterer = new Clusterer()
  const cpuMs = cpuTimer()
  const texts = ['', '😀😀', '\u0000\uffff', '\ud800', 'א ב ג', 'x'.repeat(20_000), '漢'.repeat(20_000)]
  texts.push('a '.repeat(10_000), "o'o'".repeat(5000), '1,1.'.repeat(5000), '- A'.repeat(6000), 'U.S.'.repeat(5000))
  texts.push('update '.repeat(3000), 'ЯA'.repeat(9000))
  for (const title of texts) {
    for (const content of texts) clusterer.add(entry(title, { content, vector: new Float32Array(8) }))
  }
  clusterer.add(entry('No number', { vector: Float32Array.of(Number.NaN, 1), publishedAt: Number.NaN }))
  assert.ok(cpuMs() < 10_000)
})

test('entries without words get clusters of their own', () => {
  const vector = Float32Array.of(1, 0)
  assert.deepEqual(place(entry('', { vector }), entry('😀', { vector }), entry('…', { vector })), [1, 2, 3])
})
