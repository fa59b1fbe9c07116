import { SIGNAL_KINDS } from 'mintick:reference'
import type { Signal } from 'mintick-client'
import { formatPercent } from '../../ui/format.ts'
import { Assets, Change } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { Badge } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

const TONES = { bullish: 'good', bearish: 'bad', neutral: 'plain' } as const

/** Signals, each with its kind, strength and result. */
export function SignalList({
  signals,
  linkTo = (id) => `/dashboard/signals?open=${encodeURIComponent(id)}`,
}: {
  signals: readonly Signal[]
  linkTo?: (id: string) => string
}) {
  return (
    <ol class="feed">
      {signals.map(({ id, kind, direction, strength, confidence, assetKey, title, status, generatedAt, outcome }) => (
        <li key={id}>
          <span class="feed-time quiet small">
            <Time at={generatedAt} />
          </span>
          <div>
            <a class="headline" href={linkTo(id)}>
              {title}
            </a>
            <p class="feed-facts small">
              <Assets keys={[assetKey]} />
              <span class="quiet" title={SIGNAL_KINDS[kind]}>
                {nameOf(kind)}
              </span>
              <span class="quiet">strength {formatPercent(strength)}</span>
              <span class="quiet">confidence {formatPercent(confidence)}</span>
              {status !== 'active' && <span class="quiet">{status}</span>}
              {outcome !== null && (
                <span>
                  {outcome.isHit ? 'right' : 'wrong'}: <Change percent={outcome.returnPercent} />
                </span>
              )}
            </p>
          </div>
          <span class="feed-score">
            <Badge tone={TONES[direction]}>{direction}</Badge>
          </span>
        </li>
      ))}
    </ol>
  )
}
