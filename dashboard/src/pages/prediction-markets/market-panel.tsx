import type { PredictionMarket, PredictionMarketItem } from 'mintick-client'
import { useMemo, useState } from 'preact/hooks'
import { usePaidQuery } from '../../api/paid-query.ts'
import type { OddsData } from '../../charts/odds-data.ts'
import { addressOf } from '../../ui/address.ts'
import { Chart, ChartCredit } from '../../ui/chart.tsx'
import { formatCompact, formatPercent } from '../../ui/format.ts'
import { Assets, Outside, Topics } from '../../ui/market-data.tsx'
import { PaidPart } from '../../ui/paid-part.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Points } from './market-table.tsx'

/** Colours of the lines; outcomes beyond them are not drawn. */
const COLOURS = ['--accent', '--good', '--bad', '--warn', '--quiet', '--text']

interface MarketPanelProps {
  id: string
  listed: PredictionMarketItem | undefined
  closeTo: string
}

/** A prediction market with its odds over time. */
export function MarketPanel({ id, listed, closeTo }: MarketPanelProps) {
  const market = usePaidQuery({
    path: `/prediction-markets/${encodeURIComponent(id)}`,
    method: 'predictionMarkets.get',
    args: [id],
  })
  const known = market.query.data ?? listed
  return (
    <Panel title={known?.question ?? 'Prediction market'} closeTo={closeTo}>
      {known !== undefined && <Facts market={known} />}
      <PaidPart title="Odds over time" of={market}>
        {(record) => <History market={record} />}
      </PaidPart>
      {market.query.data !== undefined && <More market={market.query.data} />}
    </Panel>
  )
}

function Facts({ market }: { market: PredictionMarketItem }) {
  return (
    <>
      {market.description !== null && <p class="clamped">{market.description}</p>}
      <dl class="facts">
        <dt>Venue</dt>
        <dd>
          <Outside href={market.url}>{market.venue}</Outside>
          {!market.isRealMoney && ', play money'}
        </dd>
        <dt>Status</dt>
        <dd>{market.resolution === null ? market.status : `${market.status}: ${market.resolution}`}</dd>
        <dt>Volume</dt>
        <dd>
          {formatCompact(market.volume)} {market.currency}
          {market.volume24h !== null && `, ${formatCompact(market.volume24h)} in 24 h`}
        </dd>
        {market.closeAt !== null && (
          <>
            <dt>Closes</dt>
            <dd>
              <Time at={market.closeAt} />
            </dd>
          </>
        )}
        <dt>About</dt>
        <dd>
          <Assets keys={market.assetKeys} />
          <Topics slugs={market.topicSlugs} />
        </dd>
      </dl>
    </>
  )
}

function History({ market: { history, outcomes } }: { market: PredictionMarket }) {
  const [pointed, setPointed] = useState<number>()
  const drawn = useMemo(
    () =>
      outcomes.slice(0, COLOURS.length).map(({ id, label }, index) => ({ id, label, colour: COLOURS[index] ?? '' })),
    [outcomes],
  )
  const data = useMemo<OddsData>(() => ({ history, outcomes: drawn }), [history, drawn])
  const point = history.points[pointed ?? history.points.length - 1]
  return (
    <>
      <table class="outcomes">
        <caption class="hidden">Outcomes</caption>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col" class="number">
              {point === undefined || pointed === undefined ? 'Odds' : <Time at={point.at} />}
            </th>
            <th scope="col" class="number">
              24 h
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ id, label, probability, priceChange24h, isWinner }, index) => {
            const share = pointed === undefined ? probability : (point?.probabilities[id] ?? null)
            return (
              <tr key={id}>
                <td>
                  <span class={`swatch line-${index}`} aria-hidden="true" /> {label}
                  {isWinner === true && ' ✓'}
                </td>
                <td class="number">{share === null ? '–' : formatPercent(share)}</td>
                <td class="number">
                  <Points share={priceChange24h} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {history.points.length < 2 ? (
        <Empty title="There are no earlier odds." />
      ) : (
        <Chart
          load={() => import('../../charts/odds.ts')}
          data={data}
          onPoint={setPointed}
          caption={<ChartCredit />}
          label={`Odds of ${drawn.map(({ label }) => label).join(', ')} over time, ${history.points.length} points`}
        />
      )}
    </>
  )
}

function More({ market: { rules, resolutionSource, relatedMarkets, relatedEntryIds } }: { market: PredictionMarket }) {
  return (
    <>
      {rules !== null && (
        <section class="part">
          <h3>Rules</h3>
          <p>{rules}</p>
          {resolutionSource !== null && <p class="quiet small">Decided by: {resolutionSource}</p>}
        </section>
      )}
      {relatedMarkets.length > 0 && (
        <section class="part">
          <h3>Related markets</h3>
          <ul class="evidence">
            {relatedMarkets.map(({ id, question, probability }) => (
              <li key={id}>
                <a href={addressOf('/dashboard/prediction-markets', { open: id })}>{question}</a>{' '}
                {probability !== null && formatPercent(probability)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {relatedEntryIds.length > 0 && (
        <section class="part">
          <h3>Related news</h3>
          <p class="actions">
            {relatedEntryIds.map((id, index) => (
              <a key={id} class="tag" href={addressOf('/dashboard/news', { open: id })}>
                Entry {index + 1}
              </a>
            ))}
          </p>
        </section>
      )}
    </>
  )
}
