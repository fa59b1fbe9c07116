import { SIGNAL_KINDS } from 'mintick:reference'
import type { Signal } from 'mintick-client'
import { usePaidQuery } from '../../api/paid-query.ts'
import { addressOf } from '../../ui/address.ts'
import { formatNumber, formatPercent, formatPrice } from '../../ui/format.ts'
import { Assets, Change } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { PaidPart } from '../../ui/paid-part.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'

/** A signal with its figures and links to its evidence. */
export function SignalPanel({ id, listed, closeTo }: { id: string; listed: Signal | undefined; closeTo: string }) {
  const signal = usePaidQuery({ path: `/signals/${encodeURIComponent(id)}`, method: 'signals.get', args: [id] })
  const known = signal.query.data ?? listed
  return (
    <Panel title={known?.title ?? 'Signal'} closeTo={closeTo}>
      {known === undefined ? (
        <PaidPart title="The signal" of={signal}>
          {() => null}
        </PaidPart>
      ) : (
        <Facts signal={known} />
      )}
    </Panel>
  )
}

function Facts({ signal }: { signal: Signal }) {
  const { kind, metrics, outcome, entryIds, secRecords, predictionMarketIds, clusterId } = signal
  return (
    <>
      <p>{signal.summary}</p>
      <dl class="facts">
        <dt>Asset</dt>
        <dd>
          <Assets keys={[signal.assetKey]} />
        </dd>
        <dt>Kind</dt>
        <dd>
          {nameOf(kind)}. {SIGNAL_KINDS[kind]}
        </dd>
        <dt>Direction</dt>
        <dd>{signal.direction}</dd>
        <dt>Strength</dt>
        <dd>{formatPercent(signal.strength)}</dd>
        <dt>Confidence</dt>
        <dd>{formatPercent(signal.confidence)}</dd>
        <dt>Found</dt>
        <dd>
          <Time at={signal.generatedAt} />
        </dd>
        <dt>Expires</dt>
        <dd>
          <Time at={signal.expiresAt} /> ({signal.status})
        </dd>
        {metrics !== null && (
          <>
            <dt>Measured</dt>
            <dd>
              {formatNumber(metrics.value)} within {metrics.window}
              {metrics.baseline !== null && `, usually ${formatNumber(metrics.baseline)}`}
              {metrics.zScore !== null && `, ${formatNumber(metrics.zScore)} deviations`}
            </dd>
          </>
        )}
        {signal.referencePrice !== null && (
          <>
            <dt>Price then</dt>
            <dd>{formatPrice(signal.referencePrice)}</dd>
          </>
        )}
        <dt>Result</dt>
        <dd>
          {outcome === null ? (
            'not known yet'
          ) : (
            <>
              {outcome.isHit ? 'right' : 'wrong'}: <Change percent={outcome.returnPercent} />
            </>
          )}
        </dd>
      </dl>
      <h3>Evidence</h3>
      <ul class="evidence">
        {entryIds.map((id, index) => (
          <li key={id}>
            <a href={addressOf('/dashboard/news', { open: id })}>Entry {index + 1}</a>
          </li>
        ))}
        {clusterId !== null && (
          <li>
            <a href={addressOf('/dashboard/news', { view: 'events', open: clusterId })}>Event</a>
          </li>
        )}
        {secRecords.map(({ dataset, id }, index) => (
          <li key={id}>
            <a href={addressOf(`/dashboard/sec/${dataset}`, { open: id })}>
              {nameOf(dataset)}, record {index + 1}
            </a>
          </li>
        ))}
        {predictionMarketIds.map((id) => (
          <li key={id}>
            <a href={addressOf('/dashboard/prediction-markets', { open: id })}>Prediction market</a>
          </li>
        ))}
      </ul>
    </>
  )
}
