import type { PredictionMarketItem } from 'mintick-client'
import { DataTable } from '../../ui/data-table.tsx'
import { formatCompact, formatNumber, formatPercent } from '../../ui/format.ts'
import { Time } from '../../ui/time.tsx'

interface MarketTableProps {
  markets: readonly PredictionMarketItem[]
  linkTo: (id: string) => string
}

/** Prediction markets with their odds. */
export function MarketTable({ markets, linkTo }: MarketTableProps) {
  return (
    <DataTable
      caption="Prediction markets"
      rows={markets}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Question', cell: ({ id, question }) => <a href={linkTo(id)}>{question}</a> },
        { title: 'Odds', isNumber: true, cell: (market) => <Odds market={market} /> },
        { title: '24 h', isNumber: true, cell: ({ priceChange24h }) => <Points share={priceChange24h} /> },
        {
          title: 'Volume',
          isNumber: true,
          cell: ({ volume, currency }) => `${formatCompact(volume)} ${currency}`,
        },
        { title: 'Closes', cell: ({ closeAt }) => (closeAt === null ? '–' : <Time at={closeAt} as="date" />) },
        { title: 'Venue', cell: ({ venue }) => venue },
        {
          title: 'Status',
          cell: ({ status, resolution }) => (resolution === null ? status : `${status}: ${resolution}`),
        },
      ]}
    />
  )
}

/** The likeliest outcome of a market with several, or the odds of yes. */
function Odds({ market: { type, outcomes, probability } }: { market: PredictionMarketItem }) {
  if (type !== 'categorical') return <>{probability === null ? '–' : formatPercent(probability)}</>
  const [best] = outcomes.toSorted((one, other) => (other.probability ?? -1) - (one.probability ?? -1))
  if (best === undefined || best.probability === null) return <>–</>
  return (
    <>
      {best.label} {formatPercent(best.probability)}
    </>
  )
}

/** A change of odds in points: 0.05 is five. */
export function Points({ share }: { share: number | null }) {
  if (share === null) return <span class="quiet">–</span>
  const points = Math.round(share * 1_000) / 10
  return (
    <span class={points > 0 ? 'good-text' : points < 0 ? 'bad-text' : ''}>
      {points > 0 ? '+' : ''}
      {formatNumber(points)}
    </span>
  )
}
