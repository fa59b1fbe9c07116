import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { theme } from '../api/preferences.ts'
import { ErrorNotice } from './states.tsx'

/** Draws data into an element. `onPoint` gets the position under the pointer. Returns a function that removes the drawing. */
export type Draw<Data> = (element: HTMLElement, data: Data, onPoint: (index: number | undefined) => void) => () => void

interface ChartProps<Data> {
  /** Loads the function that draws. */
  load: () => Promise<{ draw: Draw<Data> }>
  /** The data of the chart. A new object draws the chart again. */
  data: Data
  /** Says what the chart shows, to readers who do not see it. */
  label: string
  /** A sentence below the chart. */
  caption?: ComponentChildren
  onPoint?: (index: number | undefined) => void
}

/** A chart whose library is loaded when it is first shown. It is drawn again when the theme changes. */
export function Chart<Data>({ load, data, label, caption, onPoint = () => {} }: ChartProps<Data>) {
  const element = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState<Error>()
  const isDark = useDark()
  // The colours are read from the page while it is drawn.
  useEffect(() => {
    let remove: (() => void) | undefined
    let isGone = false
    load().then(({ draw }) => {
      if (!isGone && element.current !== null) remove = draw(element.current, data, onPoint)
    }, setFailure)
    return () => {
      isGone = true
      remove?.()
      element.current?.replaceChildren()
    }
  }, [data, isDark])
  if (failure !== undefined) return <ErrorNotice error={failure} retry={() => location.reload()} />
  return (
    <figure class="chart">
      <div ref={element} class="chart-canvas" role="img" aria-label={label} />
      {caption !== undefined && <figcaption class="quiet small">{caption}</figcaption>}
    </figure>
  )
}

/** Names the library of the charts of prices and odds, as its licence asks. */
export function ChartCredit() {
  return (
    <>
      Chart by{' '}
      <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
        TradingView Lightweight Charts
      </a>
    </>
  )
}

/** Whether the page is dark now. */
function useDark(): boolean {
  const [isSystemDark, setSystemDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    const follow = () => setSystemDark(system.matches)
    system.addEventListener('change', follow)
    return () => system.removeEventListener('change', follow)
  }, [])
  return theme.value === 'auto' ? isSystemDark : theme.value === 'dark'
}
