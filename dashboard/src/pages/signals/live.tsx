import { ENDPOINTS } from 'mintick:reference'
import { type Signal, StreamGapError, type StreamState } from 'mintick-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../../api/api-call.ts'
import { mintick } from '../../api/clients.ts'
import { typedValues } from '../../ui/filters.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Price, usePrice } from '../../ui/price.tsx'
import { CodeButton, Refusal } from '../../ui/run-bar.tsx'
import { Empty, ErrorNotice } from '../../ui/states.tsx'
import { SignalList } from './signal-list.tsx'

const MOST_SHOWN = 100
const MINUTE_MS = 60_000

const STATES = {
  connecting: { tone: 'warn', text: 'Connecting…' },
  open: { tone: 'good', text: 'Connected' },
  waiting: { tone: 'warn', text: 'Connection lost, connecting again…' },
  ended: { tone: 'plain', text: 'Stopped' },
} as const

/** Signals as they are found, while the reader wants them. The stream ends when the page is left. */
export function Live({
  filters,
  linkTo,
}: {
  filters: Readonly<Record<string, string>>
  linkTo: (id: string) => string
}) {
  const parameters = ENDPOINTS['/signals/stream']?.parameters ?? []
  const chosen = Object.entries(filters).filter(([name]) => parameters.some((parameter) => parameter.name === name))
  const call: ApiCall = {
    path: '/signals/stream',
    method: 'signals.stream',
    kind: 'stream',
    params: typedValues(parameters, Object.fromEntries(chosen)),
  }
  const { data: cost } = usePrice([call])
  const stream = useStream()
  const isRunning = stream.state !== 'ended'
  return (
    <Card
      title="Live"
      class="slim"
      actions={
        <>
          {isRunning ? (
            <button type="button" class="small" onClick={stream.stop}>
              Stop
            </button>
          ) : (
            <button type="button" class="small" onClick={() => stream.start(call.params ?? {})}>
              Start · <Price of={[call]} />
            </button>
          )}
          <CodeButton calls={[call]} isSmall />
        </>
      }
    >
      <p class="live-state" role="status">
        <Badge tone={STATES[stream.state].tone}>{STATES[stream.state].text}</Badge>
        {stream.openMs !== undefined && (
          <span class="quiet small">
            open for {formatSpan(stream.openMs)}
            {cost !== undefined && `, ${formatCredits(Math.floor(stream.openMs / MINUTE_MS) * cost.perMinute)} so far`}
          </span>
        )}
      </p>
      {!isRunning && <Refusal of={cost?.error} />}
      {stream.error !== undefined && <ErrorNotice error={stream.error} />}
      {stream.hasGap && <p class="notice warn">Some signals were missed while the connection was lost.</p>}
      {stream.signals.length > 0 ? (
        <SignalList signals={stream.signals} linkTo={linkTo} />
      ) : (
        isRunning && <Empty title="Waiting for the next signal." />
      )}
      {!isRunning && stream.signals.length === 0 && (
        <p class="quiet small">
          Shows signals as they are found, with the filters above. Each whole minute is charged; stop it, or leave the
          page, to end it.
        </p>
      )}
    </Card>
  )
}

function formatSpan(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A stream of signals with its state, how long it was open, and what arrived, newest first. */
function useStream() {
  const [state, setState] = useState<StreamState>('ended')
  const [signals, setSignals] = useState<Signal[]>([])
  const [error, setError] = useState<Error>()
  const [hasGap, setGap] = useState(false)
  const [openMs, setOpenMs] = useState<number>()
  const stopper = useRef<AbortController | undefined>(undefined)
  const stop = () => stopper.current?.abort()
  useEffect(() => stop, [])
  useEffect(() => {
    if (state !== 'open') return
    let last = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const passed = now - last
      last = now
      setOpenMs((ms = 0) => ms + passed)
    }, 1_000)
    return () => clearInterval(timer)
  }, [state])

  const start = async (params: Record<string, unknown>) => {
    stop()
    const controller = new AbortController()
    const { signal } = controller
    stopper.current = controller
    setError(undefined)
    setGap(false)
    setOpenMs(0)
    setSignals([])
    const stream = mintick.signals.stream(params, { signal })
    stream.onState = (next) => {
      if (stopper.current?.signal === signal) setState(next)
    }
    while (!signal.aborted) {
      try {
        for await (const { data } of stream) {
          setSignals((known) => [data.signal, ...known.filter(({ id }) => id !== data.signal.id)].slice(0, MOST_SHOWN))
        }
      } catch (failure) {
        if (signal.aborted) return
        if (!(failure instanceof StreamGapError)) return setError(failure as Error)
        setGap(true)
      }
    }
  }
  return { state, signals, error, hasGap, openMs, start, stop }
}
