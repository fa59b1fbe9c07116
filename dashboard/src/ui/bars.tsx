import { formatNumber } from './format.ts'

interface Bar {
  at: string
  count: number
}

const WIDTH = 600
const HEIGHT = 64

/** Counts over time as small bars. */
export function Bars({ of, label }: { of: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...of.map(({ count }) => count))
  const step = WIDTH / Math.max(1, of.length)
  const total = of.reduce((sum, { count }) => sum + count, 0)
  const [first, last] = [of[0], of.at(-1)]
  return (
    <figure class="bars">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${formatNumber(total)} in ${of.length} intervals, at most ${formatNumber(most)} in one`}
      >
        {of.map(({ at, count }, index) => {
          const height = (count / most) * (HEIGHT - 2)
          return (
            <rect key={at} x={index * step} y={HEIGHT - height} width={Math.max(1, step - 1)} height={height}>
              <title>{`${formatMoment(at)}: ${formatNumber(count)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption class="quiet small">
        <span>{first && formatMoment(first.at)}</span>
        <span>at most {formatNumber(most)}</span>
        <span>{last && formatMoment(last.at)}</span>
      </figcaption>
    </figure>
  )
}

/** Intervals of days start at midnight UTC, so that a day is named as UTC has it. */
function formatMoment(at: string): string {
  const isDay = at.includes('T00:00:00')
  return new Date(at).toLocaleString(
    undefined,
    isDay ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' },
  )
}
