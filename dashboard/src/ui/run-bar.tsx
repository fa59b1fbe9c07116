import { useId } from 'preact/hooks'
import type { ApiCall } from '../api/api-call.ts'
import { runsAtOnce } from '../api/preferences.ts'
import { Price, usePrice } from './price.tsx'
import { Programs } from './programs.tsx'

interface RunBarProps {
  of: { call: ApiCall; query: { isFetching: boolean }; isAsked: boolean; run: () => void }
}

/** The button that makes the call of a view, with its price, and the call as a program. */
export function RunBar({ of: { call, query, isAsked, run } }: RunBarProps) {
  const id = useId()
  const { data: cost } = usePrice(call)
  return (
    <div class="run-bar">
      <button type="button" class="first" disabled={query.isFetching || cost?.wouldPass === false} onClick={run}>
        {query.isFetching ? 'Running…' : isAsked ? 'Run again' : 'Run'} · <Price call={call} />
      </button>
      <button type="button" class="second" popovertarget={id}>
        Copy as code
      </button>
      <label class="check">
        <input
          type="checkbox"
          checked={runsAtOnce.value === 'yes'}
          onChange={(event) => {
            runsAtOnce.value = event.currentTarget.checked ? 'yes' : 'no'
          }}
        />
        Run views when I open them
      </label>
      {cost?.error != null && (
        <p class="notice warn" role="status">
          {cost.error.message}
        </p>
      )}
      <div id={id} popover="auto" class="popover wide">
        <Programs call={call} />
      </div>
    </div>
  )
}
