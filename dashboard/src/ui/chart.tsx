import { useEffect, useRef, useState } from 'preact/hooks'
import { theme } from '../api/preferences.ts'
import { ErrorNotice } from './states.tsx'

export type Draw<Data> = (element: HTMLElement, data: Data, onPoint: (index: number | undefined) => void) => () => void

interface ChartProps<Data> {
  /** Loads the function that draws. */
  load: () => Promise<{ draw: Draw<Data> }>
  /** What is drawn; a new object is drawn anew. */
  data: Data
  /** Says what the chart shows, to readers who do not see it. */
  label: string
  onPoint?: (index: number | undefined) => void
  /** Names the library below the chart, if its licence asks for it. */
  credit?: { name: string; url: string }
}

export const LIGHTWEIGHT_CHARTS = { name: 'TradingView Lightweight Charts', url: 'https://www.tradingview.com/' }

/** A chart whose library is loaded when it is first shown. It is drawn again when the theme changes. */
export function Chart<Data>({ load, data, label, onPoint = () => {}, credit }: ChartProps<Data>) {
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
      {credit !== undefined && (
        <figcaption class="quiet small">
          Chart by{' '}
          <a href={credit.url} target="_blank" rel="noopener noreferrer">
            {credit.name}
          </a>
        </figcaption>
      )}
    </figure>
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
