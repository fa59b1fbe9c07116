/** Both engines return the same replies, byte for byte, so that clients do not notice a migration. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { endpoints } from '../../src/api/index.ts'
import { builtInAssets } from '../../src/catalogue/built-in/assets.ts'
import { builtInTopics } from '../../src/catalogue/built-in/topics.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import { CANDLE_INTERVALS, CHART_RANGES } from '../../src/model/markets.ts'
import { DAY } from '../../src/model/time.ts'
import { samplePublishers } from '../../src/sample/world/publishers.ts'
import { onBothEngines, type Reply, TestService } from '../harness.ts'

/** Endpoints about the account itself, whose replies differ because the two stores have different accounts. */
const OF_ACCOUNT = /^.(account|billing.(history|checkout|subscription|portal))/

const dataEndpoints = endpoints.filter(
  ({ path, access, returns }) => access === 'key' && !OF_ACCOUNT.test(path) && hasEnvelope(returns),
)
const pagedLists = dataEndpoints.filter(({ returns }) => returns.endsWith('-list'))

/** Parameters that are compared on some endpoints only. */
const NOT_ASKED = ['query', 'fields']

/**
 * Requests to compare: a line is a path, or parameters for the last path above it. {id}, {author}, {next} and {prev} are
 * replaced by the first id, the first author and the cursors of the previous reply.
 */
const REQUESTS = `
/stats
/stats/languages

/entries
/entries/counts
/entries/counts?interval=1h
  interval=1d&publishedAfter=2026-01-05&publishedBefore=2026-02-09T12:00:00.5Z
  interval=1d&assetKey=aapl,MSFT&language=en,de
  interval=1d&ticker=aapl&symbol=aapl&assetId={asset}
  interval=1d&search=bank&sentimentScoreMin=-0.2&sentimentScoreMax=0.5
  interval=1d&topicSlug=bitcoin,earnings&topicId={topic}&hasAssets=true
  interval=1d&publisherSlug=copperkettle-wire
  interval=1d&asOf=2026-01-20T12:00:00Z&language=en
  interval=1d&publisherId={publisher}
  interval=1d&countryCode=us
  interval=1d&author=Imogen Quillon
/entries
/entries/{id}?include=entities,publisher,cluster
/entries?limit=7
  limit=7&after={next}
  limit=7&after={next}
  limit=7&before={prev}
  limit=3&hasAssets=false
  limit=3&hasAssets=true&language=de,FR
  limit=3&assetKey=aapl,MSFT&sortBy=publishedAt:asc
  limit=3&topicSlug=bitcoin,Earnings&countryCode=us,JP
  limit=3&ticker=aapl,sap&sortBy=publishedAt:asc
  limit=3&symbol=BTC&search=bitcoin
  limit=5&include=publisher,cluster,entities
  limit=5&include=publisher,cluster&fields=title,publisher.name,cluster
  limit=5&include=publisher,cluster,entities&after={next}
  limit=3&publisherSlug=copperkettle-wire,zahlenspatz
  limit=3&author={author},none&sortBy=publishedAt:asc
  limit=3&sentimentScoreMin=-0.2&sentimentScoreMax=0.1
  limit=3&publishedAfter=2026-01-05&publishedBefore=2026-01-09T12:00:00.5Z&sortBy=publishedAt:desc
  limit=3&asOf=2026-01-20T12:00:00Z&language=en
  limit=3&search=bank -profit "interest rates" or shares
  limit=3&search=-the -and
  limit=5&query=who is buying back shares
  limit=5&after={next}&query=who is buying back shares
  limit=5&before={prev}&query=who is buying back shares
  limit=3&query=shares rise after results&assetKey=AAPL,MSFT,NVDA&language=en
  limit=3&query=zinsen&sortBy=publishedAt:asc
  limit=3&query=interest rates&group=cluster
  limit=3&search=日本
  limit=3&assetId={asset}&topicId={topic}&publisherId={publisher}
  limit=3&publisherId={publisher}
  limit=3&topicId={topic}&search=shares

/assets
/assets/{id}
/assets/brk.b
/assets/btc
/assets?limit=10&page=3
  limit=100&page=4
  type=crypto,commodity&limit=5
  status=active&exchange=nyse,xetra&limit=5
  exchange=euronext paris
  countryCode=us,jp&sector=technology&limit=5
  symbol=aapl,btc
  key=AAPL,none,nestle
  cik=320193,0000789019
  hasEntries=false
  hasEntries=true&limit=2
  search=app
  search="apple inc" or micro
  search=hermes
  search=-inc -corporation&limit=9

/topics
/topics/{id}
/topics/Bitcoin
/topics?limit=11&page=2
  parentSlug=markets,Macro
  parentId={root}
  depth=0
  depth=1,2&limit=4&page=5
  isLeaf=false&search=crypto
  isLeaf=true&limit=100&page=2
  search=central ban
/topics/tree
/topics/tree?rootSlug=Markets&maxDepth=1
  maxDepth=0
  rootSlug=gold
/topics/markets/entries
/topics/markets/entries?limit=6&includeDescendants=true&hasAssets=true
  limit=6&includeDescendants=true&hasAssets=true&after={next}
  limit=6&includeDescendants=true&hasAssets=true&before={prev}
  limit=6&assetKey=AAPL&assetId={asset}&language=en&sortBy=publishedAt:asc
  limit=6&publishedAfter=2026-02-01&publishedBefore=2026-02-20&sortBy=publishedAt:desc
  limit=3&query=interest rates&group=cluster
  limit=6&asOf=2026-02-01
  limit=6&search=shares&countryCode=US&sentimentScoreMin=0&sentimentScoreMax=0.8
  limit=6&topicSlug=earnings&publisherSlug=copperkettle-wire
  limit=6&author={author}
  limit=6&ticker=aapl&symbol=aapl&include=cluster
  limit=6&topicId={topic}&publisherId={publisher}
/topics/ipos/entries?limit=4&includeDescendants=false

/publishers
/publishers/{id}
/publishers/ZAHLENSPATZ
/publishers?limit=5&page=2
  countryCode=de,gb&language=EN
  type=newswire,regulator&isActive=true
  domain=tickerfox.example,Zahlenspatz.Example
  search=búho or kettle
  search=狸
  search=the or kettle -ledger

/clusters
/clusters/{id}
/clusters?limit=9
  limit=9&after={next}
  limit=9&after={next}
  limit=9&before={prev}
  limit=4&assetKey=aapl,btc&status=active,closed
  limit=4&ticker=aapl,btc&symbol=BTC,ETH
  limit=4&assetId={asset}&entryCountMin=3
  limit=4&topicSlug=bitcoin&language=en,de
  limit=4&topicId={topic}
  limit=4&status=active&publisherCountMin=3&sortBy=importanceScore
  limit=4&sentimentScoreMin=-0.5&sentimentScoreMax=0.5&sortBy=entryCount
  limit=4&lastPublishedAfter=2026-02-20&lastPublishedBefore=2026-02-25
  limit=4&search=gold or bank&sortBy=importanceScore:asc

/markets
/markets/{id}
/markets/aapl
/markets?limit=6&page=3
  type=crypto,fx&limit=5
  venue=sample exchange us&limit=5
  assetKey=aapl,btc&quoteCurrency=usd
  ticker=aapl,btc
  symbol=btc-usd,spy
  assetId={asset}
  search=co
/markets/btc-usd/chart
/markets/aapl/chart
/markets/aapl/candles
/markets/aapl/candles?interval=1h&maxPoints=20&sortBy=openedAt:desc
/markets/btc
/markets/btc/candles?interval=1h&maxPoints=20
  openedAfter=2026-01-01&openedBefore=2026-01-31&interval=1d
  openedAfter=2026-02-20T14:30Z&interval=1m&maxPoints=30

/prediction-markets
/prediction-markets/{id}
/prediction-markets/will-bitcoin-close-above-124000-on-27-march-2026
/prediction-markets/will-bitcoin-close-above-124000-on-27-march-2026?interval=1d
/prediction-markets?limit=12&page=2
  venue=kalshi,manifold&status=open&limit=5
  status=resolved,cancelled&limit=5
  type=categorical,scalar&limit=5
  category=crypto,ECONOMY&limit=5
  topicSlug=bitcoin,ether
  assetKey=btc
  ticker=btc&symbol=btc,eth
  probabilityMin=0.2&probabilityMax=0.6&sortBy=probability
  volumeMin=100000.5&limit=5
  closeAfter=2026-03-10&closeBefore=2026-04-10&sortBy=closeAt
  search=bitcoin
  search=will -bitcoin&limit=5&page=3

/sec/datasets
/sec/insider-trades
/sec/insider-trades/{id}?asOf=2027-01-01
/sec/insider-trades?limit=8&includeSuperseded=true
  limit=8&includeSuperseded=true&after={next}
  limit=8&includeSuperseded=true&after={next}
  limit=8&includeSuperseded=true&before={prev}
  limit=4&ticker=aapl,msft&formType=4
  limit=4&cik=320193&isAmendment=false
  limit=4&assetKey=aapl&isDirector=true&isOfficer=true&symbol=aapl
  limit=4&assetId={asset}&isOfficer=false
  limit=4&formType=4/a&isAmendment=true&sortBy=value
  limit=4&accessionNumber=0009999991-25-000004
  limit=4&filedAfter=2026-01-01&filedBefore=2026-02-01
  limit=4&ownerCik=9100650
  limit=4&ownerName=needle
  limit=4&transactionCode=p,s&isOpenMarket=true
  limit=4&transactionType=sale,purchase&isDerivative=false
  limit=4&valueMin=1000.5&valueMax=500000&sortBy=value:asc
  limit=4&filingValueMin=1000.5&filingValueMax=500000&sortBy=filingValue:asc
  limit=4&transactionAfter=2025-12-01&transactionBefore=2026-01-15&sortBy=transactionDate
  limit=4&search=chief executive
  limit=4&asOf=2026-01-20T12:00:00Z&includeSuperseded=true&ticker=aapl,msft
/sec/insider-trades?limit=8&asOf=2026-01-20T12:00:00Z
  limit=8&asOf=2026-01-20T12:00:00Z&after={next}
/sec/financial-filings
/sec/financial-filings/{id}?asOf=2027-01-01
/sec/financial-filings?limit=4&item=2.02
  limit=4&fiscalYear=2025&fiscalPeriod=Q1,FY
  limit=4&search=netflix&sortBy=periodEnd
  limit=4&cik=1065280&ticker=nflx&assetKey=nflx&symbol=nflx&formType=10-q&includeSuperseded=true
  limit=4&isAmendment=true&filedAfter=2025-05-01&filedBefore=2026-03-01
  limit=4&accessionNumber=0009999992-25-000005
  limit=4&asOf=2025-11-20
  limit=4&assetId={asset}
/sec/institutional-holdings
/sec/institutional-holdings/{id}?asOf=2027-01-01
/sec/institutional-holdings?limit=4&managerCik=9200002
  limit=4&cusip=990023103&positionStatus=increased,decreased,new
  limit=4&valueUsdMin=10000000.5&sortBy=valueUsd:asc
  limit=4&search=copperkettle berkshire
  limit=4&cik=0001067983&ticker=brk.b&assetKey=brk.b&symbol=brk.b&formType=13f-hr&includeSuperseded=true
  limit=4&isAmendment=true&filedAfter=2025-05-01&filedBefore=2026-03-01
  limit=4&accessionNumber=0009999993-25-000001
  limit=4&asOf=2025-11-20
  limit=4&assetId={asset}
/sec/beneficial-ownership
/sec/beneficial-ownership/{id}?asOf=2027-01-01
/sec/beneficial-ownership?limit=4&isActivist=true
  limit=4&isActivist=false&includeSuperseded=true&search=crowdstrike or advisors
  limit=4&cik=1535527&ticker=crwd&assetKey=crwd&symbol=crwd&formType=sc 13d
  limit=4&isAmendment=true&filedAfter=2025-05-01&filedBefore=2026-03-01
  limit=4&accessionNumber=0009999994-25-000008
  limit=4&asOf=2025-11-20
  limit=4&assetId={asset}
/sec/private-placements
/sec/private-placements/{id}?asOf=2027-01-01
/sec/private-placements?limit=4&cik=9300015&formType=d&search=cloverleaf
  limit=4&isAmendment=true&includeSuperseded=true&filedAfter=2025-05-01&filedBefore=2026-03-01
  limit=4&accessionNumber=0009999995-25-000008
  limit=4&asOf=2025-11-20
/sec/planned-sales
/sec/planned-sales/{id}?asOf=2027-01-01
/sec/planned-sales?limit=4&cik=796343&ticker=adbe&assetKey=adbe&symbol=adbe&formType=144&search=needlewood
  limit=4&isAmendment=true&includeSuperseded=true&filedAfter=2025-05-01&filedBefore=2026-03-01
  limit=4&accessionNumber=0009999996-25-000008
  limit=4&asOf=2025-11-20
  limit=4&assetId={asset}
/sec/material-events
/sec/material-events/{id}?asOf=2027-01-01
/sec/material-events?limit=4&item=5.02,8.01
  limit=4&cik=200406&ticker=jnj&assetKey=jnj&symbol=jnj&formType=8-k&search=obligation
  limit=4&isAmendment=true&includeSuperseded=true&filedAfter=2025-05-01&filedBefore=2026-03-01
  limit=4&accessionNumber=0009999997-25-000008
  limit=4&asOf=2025-11-20
  limit=4&assetId={asset}

/signals
/signals/{id}?asOf=2027-01-01
/signals?limit=10
  limit=10&after={next}
  limit=10&after={next}
  limit=10&before={prev}
  limit=4&kind=material_event,breaking_cluster&direction=bullish
  limit=4&assetKey=aapl,btc&status=active,expired
  limit=4&ticker=aapl,btc&symbol=aapl&sortBy=strength
  limit=4&assetId={asset}&horizon=1d,1w
  limit=4&strengthMin=0.7&confidenceMin=0.5&sortBy=confidence
  limit=4&generatedAfter=2026-01-01&generatedBefore=2026-02-01
  limit=4&updatedAfter=2026-01-20&sortBy=updatedAt:asc
  limit=4&status=superseded&sortBy=strength:asc
  limit=4&search=shares -apple
/signals?limit=5&kind=breaking_cluster
/signals?limit=10&asOf=2026-01-20T12:00:00Z
  limit=10&asOf=2026-01-20T12:00:00Z&after={next}
  limit=4&asOf=2026-01-20T12:00:00Z&status=active,superseded
/signals/by-entry/{evidence}

/changes?limit=10
  limit=10&after={next}
  limit=10&after={next}
  limit=10&before={prev}
  limit=10&after=5000
  limit=4&type=market,prediction-market
  limit=4&type=filing&dataset=planned-sales,insider-trades&sortBy=id:desc

/billing/packages
/billing/plans
`

/** Requests for empty lists. */
const EMPTY = `
/entries?search=zzzzz
/export/files?dataset=entries,signals&dayAfter=2000-01-01&dayBefore=2000-03-01&includeSuperseded=true&limit=5&offset=2
/entries?query=xyzzy plugh
/assets?page=999
/assets?type=equity&status=delisted
/topics/markets/entries?includeDescendants=false
/publishers?isActive=false
/clusters?limit=4&entryCountMin=99
/sec/private-placements?limit=4&ticker=none&assetKey=none&symbol=none
/sec/private-placements?assetId={asset}
`

/** Requests that get an error. */
const REFUSED = `
/entries?limit=0
  after=x
  sortBy=relevance:desc
  sentimentScoreMin=2
  sortBy=up
  assetId=nope
  publishedAfter=2026-02-30
  publishedAfter=2026-02-02&publishedBefore=2026-02-01
/assets?type=nonsense
  page=0
/assets/none
/topics?depth=-1
/topics/none/entries
/topics/tree?rootSlug=none
/publishers/none
/clusters?entryCountMin=x
/clusters/none
/markets/none/chart
/markets/aapl/chart?range=2y
/markets/aapl/candles?interval=2m
  maxPoints=5001
/prediction-markets?probabilityMin=0.6&probabilityMax=0.5
/prediction-markets/none
/sec/nothing
/sec/insider-trades?valueMin=-1
/sec/insider-trades/none
/signals?kind=none
/signals/by-entry/none
/changes?type=none
  after=x
  after=999999999
  sortBy=at
/nope
`

const DEMO = `
/entries
/entries?limit=4
  page=1
  assetKey=AAPL&search=bank
/topics/tree
/markets
/markets/aapl/candles
/prediction-markets?limit=2&sortBy=closeAt
/sec/datasets
/sec/insider-trades
/signals?limit=1&status=nonsense
/signals?after=x
/signals
/changes
  after=1
/entries
/signals/by-entry/{id}
/billing/packages
/billing/plans
`

const questionFor = (sort: string) => (sort === 'relevance:desc' ? '&query=interest rates' : '')

/** Every sort of every list with a later page, every chart, and candles of every interval. */
const DERIVED = [
  ...pagedLists.flatMap(({ path, query, returns }) => {
    const base = path.replace(':id', 'markets')
    const further = {
      'cursor-list': ['&after={next}', '&after={next}', '&before={prev}'],
      'page-list': ['&page=2', '&page=4'],
    }
    const { enum: sorts = [] }: { enum?: string[] } = query?.properties.sortBy ?? {}
    return sorts.flatMap((sort) =>
      ['', ...further[returns as 'page-list']].map(
        (more) => `${base}?limit=6&sortBy=${sort}${questionFor(sort)}${more}`,
      ),
    )
  }),
  ...CHART_RANGES.flatMap((range) => ['aapl', 'btc-usd'].map((symbol) => `/markets/${symbol}/chart?range=${range}`)),
  ...CANDLE_INTERVALS.map((interval) => `/markets/aapl/candles?interval=${interval}&maxPoints=50`),
  '/markets/aapl/candles?sortBy=openedAt:asc',
]

const FOUND = [...linesOf(REQUESTS), ...DERIVED]

function linesOf(text: string): string[] {
  let base = ''
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      if (line.startsWith('/')) base = line.split('?')[0] ?? ''
      return line.startsWith('/') ? line : `${base}?${line.trim()}`
    })
}

const KNOWN: Record<string, string | undefined> = {
  asset: builtInAssets.find(({ key }) => key === 'AAPL')?.id,
  topic: builtInTopics.find(({ slug }) => slug === 'earnings')?.id,
  root: builtInTopics.find(({ slug }) => slug === 'markets')?.id,
  publisher: samplePublishers[0]?.id,
}

/** Returns the values of the placeholders after a reply. */
function namesIn(body: Reply['body']): Record<string, string | undefined> {
  const items: { id?: string; author?: string | null; entryIds?: string[] }[] = Array.isArray(body.data)
    ? body.data
    : []
  return {
    id: items[0]?.id,
    author: items.flatMap(({ author }) => author ?? [])[0],
    next: body.meta?.nextCursor,
    prev: body.meta?.prevCursor,
    evidence: items.flatMap(({ entryIds = [] }) => entryIds)[0],
  }
}

function filledIn(line: string, names: Record<string, string | undefined>): string {
  const path = line.replace(/\{(\w+)\}/g, (_, name) => {
    const value = names[name] ?? KNOWN[name]
    assert.ok(value, `${line}: the answer before has no ${name}`)
    return value
  })
  return encodeURI(path)
}

onBothEngines('the same answers on both engines', (engines) => {
  let services: TestService[]
  let keys: string[]
  before(async () => {
    services = await Promise.all(engines.map((engine) => TestService.start(engine, { SAMPLE_DATA: 'on' })))
    keys = await Promise.all(services.map(async (service) => (await service.openUnlimited()).key))
  })
  after(() => Promise.all(services.map((service) => service.stop())))

  const ask = async (path: string, isDemo: boolean) => {
    const [one, other] = await Promise.all(
      services.map(({ mintick }, index) => {
        const authorization = `Bearer ${isDemo ? DEMO_KEY : keys[index]}`
        return mintick.app.inject({ url: `/api/v1${path}`, headers: { authorization } })
      }),
    )
    assert.ok(one && other)
    assert.equal(other.body, one.body, path)
    assert.equal(other.statusCode, one.statusCode, path)
    return { status: one.statusCode, body: JSON.parse(one.body) }
  }

  const askAll = async (lines: readonly string[], isDemo = false) => {
    const replies: (Awaited<ReturnType<typeof ask>> & { line: string })[] = []
    let names: Record<string, string | undefined> = {}
    for (const line of lines) {
      const reply = await ask(filledIn(line, names), isDemo)
      names = namesIn(reply.body)
      replies.push({ ...reply, line })
    }
    return replies
  }

  test('every endpoint and parameter is asked for', () => {
    for (const { path, query } of dataEndpoints) {
      const shape = new RegExp(`^${path.replace(':id', '[^/]+')}(\\?|$)`)
      const asked = [...FOUND, ...linesOf(EMPTY)].filter((line) => shape.test(line))
      assert.ok(asked.length > 0, path)
      const given = asked.flatMap((line) => [...new URLSearchParams(line.split('?')[1]).keys()])
      const missing = Object.keys(query?.properties ?? {}).filter(
        (name) => !NOT_ASKED.includes(name) && !given.includes(name),
      )
      assert.deepEqual(missing, [], path)
    }
  })

  test('what is found', async () => {
    for (const { line, status, body } of await askAll(FOUND)) {
      assert.equal(status, 200, line)
      assert.notDeepEqual(body.data, [], line)
    }
  })

  test('what is not there, and what is refused', async () => {
    for (const { body } of await askAll(linesOf(EMPTY))) assert.deepEqual(body.data, [])
    for (const { line, status } of await askAll(linesOf(REFUSED))) assert.ok(status === 400 || status === 404, line)
  })

  test('what the demo key gets', async () => {
    await askAll(linesOf(DEMO), true)
  })

  test('what time has changed four days later', async () => {
    for (const { clock } of services) clock.advance(4 * DAY)
    // The background job would evaluate signals on one engine before the other.
    for (const { mintick } of services) await mintick.signalWorker.tidy()
    await askAll(FOUND.filter((line) => /^.(stats|assets|topics|publishers|clusters|signals)/.test(line)))
  })
})
