import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { Fetcher } from '../../src/sources/fetch/fetcher.ts'
import { SourceRunner } from '../../src/sources/runner.ts'
import { SourceSink } from '../../src/sources/sink.ts'
import { SourceManager } from '../../src/sources/source-manager.ts'
import { SCHEDULE_13D_HTML, TICKERS_EXCHANGE } from '../edgar-answers.ts'
import { EdgarSimulator, type SimulatedFiling } from '../edgar-simulator.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

const COMPANY = '0001700000'
const SCHEDULE_13D = SCHEDULE_13D_HTML.slice(SCHEDULE_13D_HTML.indexOf('<html>'), SCHEDULE_13D_HTML.indexOf('</TEXT>'))

onEveryEngine('signals from filings at EDGAR', (engine) => {
  const service = serviceForSuite(engine)
  const simulator = new EdgarSimulator()
  let runner: SourceRunner
  let key: string
  let count = 0

  before(async () => {
    const { store, ingest } = service.mintick
    const { clock } = service
    const { intake, enrichment } = ingest
    const url = await simulator.listen()
    simulator.documents.set('/files/company_tickers_exchange.json', TICKERS_EXCHANGE)
    runner = new SourceRunner({
      store,
      clock,
      sink: new SourceSink({ store, intake, enrichment, clock }),
      fetcher: new Fetcher({ allowHosts: ['127.0.0.1'], timeoutMs: 5_000, now: () => clock.now() }),
      onError: (error) => assert.fail(String(error)),
      random: () => 0.5,
      wait: async () => {},
    })
    key = (await service.openUnlimited()).key
    await new SourceManager({ store, runner, clock }).add({
      kind: 'edgar',
      contact: 'me@example.com',
      url,
      dataUrl: url,
    })
    await read()
  })
  after(async () => {
    await runner.stop()
    await simulator.close()
  })

  async function read(...filings: readonly [formType: string, document: string][]): Promise<string[]> {
    const added = filings.map(([formType, document]): SimulatedFiling => {
      count += 1
      const accessionNumber = `0001234567-26-${String(count).padStart(6, '0')}`
      const acceptedAt = isoTime(Math.floor(service.clock.now() / MINUTE) * MINUTE)
      return { accessionNumber, formType, acceptedAt, ciks: [COMPANY, '0001700009'], document }
    })
    simulator.filings.push(...added)
    service.clock.advance(HOUR)
    await runner.runDue()
    await service.mintick.signalWorker.catchUp()
    return added.map(({ accessionNumber }) => accessionNumber)
  }

  /** Checks that the filings, and no filings before, give one signal of a kind. */
  async function expectSignal(kind: string, dataset: string, filings: readonly [string, string][]): Promise<void> {
    const list = async () => (await service.get(`/signals?kind=${kind}&ticker=PEBL`, key)).data
    assert.deepEqual(await list(), [])
    const accessionNumbers = await read(...filings)
    const [signal, ...others] = await list()
    assert.deepEqual([signal?.assetKey, signal?.status, others], ['PEBL', 'active', []])
    const named = await Promise.all(
      signal.secRecords.map(async ({ id }: { id: string }) => (await service.get(`/sec/${dataset}/${id}`, key)).data),
    )
    assert.deepEqual(named.map(({ accessionNumber }) => accessionNumber).sort(), accessionNumbers)
  }

  test('three insiders who buy are a cluster', () =>
    expectSignal(
      'insider_cluster_buy',
      'insider-trades',
      [1, 2, 3].map((owner) => ['4', form4({ owner, code: 'P', shares: 10_000, left: 20_000 })]),
    ))

  test('an insider who sells two thirds of a holding', () =>
    expectSignal('insider_large_sale', 'insider-trades', [
      ['4', form4({ owner: 4, code: 'S', shares: 200_000, left: 100_000 })],
    ]))

  test('a first Schedule 13D', () =>
    expectSignal('activist_stake', 'beneficial-ownership', [['SC 13D', SCHEDULE_13D.replace('(Amendment No. 4)', '')]]))

  test('an 8-K that withdraws financial statements', () =>
    expectSignal('material_event', 'material-events', [
      ['8-K', '<html><body><p>Item 4.02 Non-Reliance on Previously Issued Financial Statements</p></body></html>'],
    ]))
})

/** Returns a Form 4 with one trade at $10. */
function form4(trade: { owner: number; code: 'P' | 'S'; shares: number; left: number }): string {
  const { owner, code, shares, left } = trade
  return `<ownershipDocument>
  <documentType>4</documentType><periodOfReport>2026-03-02</periodOfReport>
  <issuer><issuerCik>${COMPANY}</issuerCik><issuerName>Pebble Robotics, Inc.</issuerName><issuerTradingSymbol>PEBL</issuerTradingSymbol></issuer>
  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>000180000${owner}</rptOwnerCik><rptOwnerName>Owner ${owner}</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isDirector>1</isDirector></reportingOwnerRelationship>
  </reportingOwner>
  <nonDerivativeTable><nonDerivativeTransaction>
    <securityTitle><value>Common Stock</value></securityTitle>
    <transactionDate><value>2026-03-02</value></transactionDate>
    <transactionCoding><transactionCode>${code}</transactionCode></transactionCoding>
    <transactionAmounts>
      <transactionShares><value>${shares}</value></transactionShares>
      <transactionPricePerShare><value>10</value></transactionPricePerShare>
      <transactionAcquiredDisposedCode><value>${code === 'P' ? 'A' : 'D'}</value></transactionAcquiredDisposedCode>
    </transactionAmounts>
    <postTransactionAmounts><sharesOwnedFollowingTransaction><value>${left}</value></sharesOwnedFollowingTransaction></postTransactionAmounts>
    <ownershipNature><directOrIndirectOwnership><value>D</value></directOrIndirectOwnership></ownershipNature>
  </nonDerivativeTransaction></nonDerivativeTable>
</ownershipDocument>`
}
