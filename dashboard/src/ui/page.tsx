import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  title: string
  /** A sentence below the title. */
  lede?: ComponentChildren
  /** Buttons beside the title. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** The content of a page, below its title. */
export function Page({ title, lede, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Mintick`
  }, [title])
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lede !== undefined && <p class="quiet">{lede}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** Moves focus to the title, after the element that had it is gone. */
export function focusTitle(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
}

interface CardProps {
  title?: ComponentChildren
  actions?: ComponentChildren
  class?: string
  children: ComponentChildren
}

/** A part of a page with a frame. */
export function Card({ title, actions, class: name = '', children }: CardProps) {
  return (
    <section class={`card ${name}`}>
      {(title !== undefined || actions !== undefined) && (
        <header class="card-head">
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div class="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

/** A figure with its name. */
export function Stat({ name, value, note }: { name: string; value: ComponentChildren; note?: ComponentChildren }) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>
        <span class="stat-value">{value}</span>
        {note !== undefined && <span class="quiet small">{note}</span>}
      </dd>
    </div>
  )
}

/** A share of a limit as a bar. */
export function Meter({ name, used, limit }: { name: string; used: number; limit: number }) {
  const left = Math.max(0, limit - used)
  return (
    <div class="meter">
      <span>{name}</span>
      <meter min={0} max={limit} value={used} high={limit * 0.9} optimum={0} aria-label={name}>
        {used} of {limit}
      </meter>
      <span class="quiet small">
        {left.toLocaleString()} of {limit.toLocaleString()} left
      </span>
    </div>
  )
}

type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
