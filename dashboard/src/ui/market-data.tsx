import type { ComponentChildren } from 'preact'
import { addressOf } from './address.ts'
import { Badge } from './page.tsx'

const score = new Intl.NumberFormat(undefined, {
  signDisplay: 'exceptZero',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** How good news is: from -1 to 1. */
export function Sentiment({ score: value }: { score: number | null }) {
  if (value === null) return <span class="quiet">–</span>
  return <Badge tone={value >= 0.15 ? 'good' : value <= -0.15 ? 'bad' : 'plain'}>{score.format(value)}</Badge>
}

/** A change in percent: 1.5 is 1.5%. */
export function Change({ percent }: { percent: number | null }) {
  if (percent === null) return <span class="quiet">–</span>
  return <span class={percent > 0 ? 'good-text' : percent < 0 ? 'bad-text' : ''}>{score.format(percent)}%</span>
}

/** Links to assets by their keys. */
export function Assets({ keys, most = 6 }: { keys: readonly string[]; most?: number }) {
  return (
    <>
      {keys.slice(0, most).map((key) => (
        <a key={key} class="tag" href={`/dashboard/assets/${encodeURIComponent(key)}`}>
          {key}
        </a>
      ))}
      {keys.length > most && <span class="quiet small">+{keys.length - most}</span>}
    </>
  )
}

/** Links to the news of topics. */
export function Topics({ slugs }: { slugs: readonly string[] }) {
  return (
    <>
      {slugs.map((slug) => (
        <a key={slug} class="tag plain" href={addressOf('/dashboard/news', { topicSlug: slug })}>
          {slug.replaceAll('-', ' ')}
        </a>
      ))}
    </>
  )
}

/** A link to another site. An address that data names is a link only if it leads to a web page. */
export function Outside({ href, children }: { href: string | null; children: ComponentChildren }) {
  if (href === null || !/^https?:\/\//i.test(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
