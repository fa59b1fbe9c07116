import { type Asset, type Market, NotFoundError } from 'mintick-client'
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { usePaidQuery } from '../../api/paid-query.ts'
import { addressOf, useAddress } from '../../ui/address.ts'
import { formatNumber, formatPrice } from '../../ui/format.ts'
import { Change, Outside, Sentiment } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { Card, Page, Stat } from '../../ui/page.tsx'
import { PaidPart } from '../../ui/paid-part.tsx'
import { RunBar } from '../../ui/run-bar.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { EntryList } from '../news/entry-list.tsx'
import { MarketTable } from '../prediction-markets/market-table.tsx'
import { RecordTable } from '../sec/record-table.tsx'
import { SignalList } from '../signals/signal-list.tsx'
import { candlesOf, intervalOf, Prices } from './prices.tsx'

const NEWS = 100
const SHOWN_NEWS = 10
/** The same at every render: a chart is drawn anew with new data. */
const NONE: never[] = []

/** An asset: its prices with news and signals, its filings, and odds about it. */
export default function AssetPage() {
  const { params } = useRoute()
  const id = params.id ?? ''
  return <LoadedAsset key={id} id={id} />
}

function LoadedAsset({ id }: { id: string }) {
  const { values } = useAddress()
  const asset = usePaidQuery({ path: `/assets/${encodeURIComponent(id)}`, method: 'assets.get', args: [id] })
  const record = asset.query.data
  // An asset may also be opened by its id; everything else refers to its key.
  const key = record?.key ?? id
  const isReady = record !== undefined
  const isUnknown = asset.query.error instanceof NotFoundError
  const markets = usePaidQuery(
    { path: '/markets', method: 'markets.list', kind: 'list', params: { assetKey: key } },
    { isReady },
  )
  const entries = usePaidQuery(
    {
      path: '/entries',
      method: 'entries.list',
      kind: 'list',
      params: { assetKey: key, sortBy: 'publishedAt:desc', limit: NEWS, include: 'publisher' },
    },
    { isReady },
  )
  const signals = usePaidQuery(
    { path: '/signals', method: 'signals.list', kind: 'list', params: { assetKey: key } },
    { isReady },
  )
  const odds = usePaidQuery(
    {
      path: '/prediction-markets',
      method: 'predictionMarkets.list',
      kind: 'list',
      params: { assetKey: key, limit: 20 },
    },
    { isReady },
  )
  const parts = [markets, entries, signals, odds]
  const found = markets.query.data?.data ?? []
  const market = found.find(({ symbol }) => symbol === values.market) ?? found[0]
  const candles = usePaidQuery(candlesOf(market?.symbol ?? key, intervalOf(market, values.interval)), {
    isReady: market !== undefined,
  })
  const [next, setNext] = useState<'parts' | 'candles'>()
  // The parts wait for the asset, and the candles for its market: a mistyped ticker costs nothing.
  useEffect(() => {
    if (next === 'parts' && isReady) {
      setNext('candles')
      for (const part of parts) part.run()
    }
    if (next === 'candles' && !markets.query.isFetching) {
      setNext(undefined)
      if (market !== undefined) candles.run()
    }
  }, [next, isReady, markets.query.isFetching])
  return (
    <Page title={record === undefined ? key : `${record.name} (${key})`} lede={record?.description ?? undefined}>
      <div class="card">
        <RunBar
          of={[asset, ...parts, ...(market === undefined ? [] : [candles])]}
          mayFollow={markets.query.data === undefined ? [candles.call] : []}
          label="Load the asset"
          onRun={() => {
            asset.run()
            setNext('parts')
          }}
        />
      </div>
      {!asset.isAsked && (
        <Empty title="Nothing is loaded yet.">
          <p>Load the asset for its figures, prices, news, signals and odds.</p>
        </Empty>
      )}
      {isUnknown && (
        <Empty title={`No asset has the key ${id}.`}>
          <a href={addressOf('/dashboard/assets', { search: id })}>Search the assets</a>
        </Empty>
      )}
      {asset.isAsked && !isUnknown && (
        <Loaded of={asset.query}>
          {(loaded) => (
            <>
              <Figures asset={loaded} market={market} />
              {markets.isAsked && (
                <Card title="Prices">
                  <Loaded of={markets.query}>
                    {() =>
                      market === undefined ? (
                        <Empty title="No market has its prices." />
                      ) : (
                        <Prices
                          markets={found}
                          market={market}
                          candles={candles}
                          entries={entries.query.data?.data ?? NONE}
                          signals={signals.query.data?.data ?? NONE}
                        />
                      )
                    }
                  </Loaded>
                </Card>
              )}
              <div class="columns">
                <Card
                  title="News"
                  actions={<a href={addressOf('/dashboard/news', { assetKey: key })}>All about {key}</a>}
                >
                  <Loaded of={entries.query}>
                    {({ data }) =>
                      data.length === 0 ? (
                        <Empty title="No entry mentions it." />
                      ) : (
                        <EntryList
                          entries={data.slice(0, SHOWN_NEWS)}
                          linkTo={(open) => addressOf('/dashboard/news', { assetKey: key, open })}
                        />
                      )
                    }
                  </Loaded>
                </Card>
                <Card
                  title="Signals"
                  actions={<a href={addressOf('/dashboard/signals', { assetKey: key })}>All about {key}</a>}
                >
                  <Loaded of={signals.query}>
                    {({ data }) =>
                      data.length === 0 ? (
                        <Empty title="No signal is about it." />
                      ) : (
                        <SignalList signals={data.slice(0, SHOWN_NEWS)} />
                      )
                    }
                  </Loaded>
                </Card>
              </div>
              <Card title="Odds of related prediction markets">
                <Loaded of={odds.query}>
                  {({ data }) =>
                    data.length === 0 ? (
                      <Empty title="No prediction market is about it." />
                    ) : (
                      <MarketTable
                        markets={data}
                        linkTo={(open) => addressOf('/dashboard/prediction-markets', { assetKey: key, open })}
                      />
                    )
                  }
                </Loaded>
              </Card>
              {loaded.cik !== null && <Filings assetKey={key} />}
              <About asset={loaded} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function Figures({ asset, market }: { asset: Asset; market: Market | undefined }) {
  return (
    <Card>
      <dl class="stats">
        {market !== undefined && market.lastPrice !== null && (
          <Stat
            name="Last price"
            value={`${formatPrice(market.lastPrice)} ${market.quoteCurrency}`}
            note={<Change percent={market.changePercent} />}
          />
        )}
        <Stat name="Sentiment, 24 h" value={<Sentiment score={asset.sentimentScore24h} />} />
        <Stat name="Entries, 24 h" value={formatNumber(asset.entryCount24h)} />
        <Stat name="Sentiment, 7 days" value={<Sentiment score={asset.sentimentScore7d} />} />
        <Stat name="Entries, 7 days" value={formatNumber(asset.entryCount7d)} />
      </dl>
    </Card>
  )
}

function Filings({ assetKey }: { assetKey: string }) {
  const params = { assetKey, limit: 20 }
  const filings = usePaidQuery({
    path: '/sec/financial-filings',
    method: 'sec.financialFilings.list',
    kind: 'list',
    params,
  })
  const trades = usePaidQuery({ path: '/sec/insider-trades', method: 'sec.insiderTrades.list', kind: 'list', params })
  return (
    <Card title="Filings at the SEC">
      <PaidPart title="Reports" of={filings}>
        {({ data }) =>
          data.length === 0 ? <p class="quiet">None.</p> : <RecordTable dataset="financial-filings" records={data} />
        }
      </PaidPart>
      <PaidPart title="Trades of insiders" of={trades}>
        {({ data }) =>
          data.length === 0 ? <p class="quiet">None.</p> : <RecordTable dataset="insider-trades" records={data} />
        }
      </PaidPart>
    </Card>
  )
}

const FACTS = [
  'type',
  'status',
  'exchange',
  'countryCode',
  'currency',
  'sector',
  'industry',
  'cik',
  'isin',
  'figi',
  'lei',
] as const

function About({ asset }: { asset: Asset }) {
  return (
    <Card title="About">
      <dl class="facts">
        {FACTS.filter((field) => asset[field] !== null).map((field) => (
          <Fragment key={field}>
            <dt>{nameOf(field)}</dt>
            <dd>{asset[field]}</dd>
          </Fragment>
        ))}
        {asset.aliases.length > 0 && (
          <>
            <dt>Also called</dt>
            <dd>{asset.aliases.join(', ')}</dd>
          </>
        )}
        {asset.websiteUrl !== null && (
          <>
            <dt>Website</dt>
            <dd>
              <Outside href={asset.websiteUrl}>{asset.websiteUrl}</Outside>
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
