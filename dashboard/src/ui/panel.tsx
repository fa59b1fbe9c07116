import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'

interface PanelProps {
  title: ComponentChildren
  /** Address of the page without the panel. */
  closeTo: string
  children: ComponentChildren
}

/**
 * A record above the right part of its list; on a phone it covers the list. The list keeps its width: to lay it out again would
 * delay the panel. Escape closes it.
 */
export function Panel({ title, closeTo, children }: PanelProps) {
  const { route } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Escape closes what is on top first.
      if (event.key !== 'Escape' || document.querySelector('dialog[open], :popover-open') !== null) return
      route(closeTo)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [closeTo])
  return (
    <aside class="panel card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <a class="button plain" href={closeTo} aria-label="Close">
          ✕
        </a>
      </header>
      {children}
    </aside>
  )
}
