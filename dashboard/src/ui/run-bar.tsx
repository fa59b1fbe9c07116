import { useId } from 'preact/hooks'
import type { ApiCall } from '../api/api-call.ts'
import type { PaidQuery } from '../api/paid-query.ts'
import { runsAtOnce } from '../api/preferences.ts'
import { type Costs, Price, usePrice } from './price.tsx'
import { Programs } from './programs.tsx'

interface RunBarProps {
  /** The queries that the button loads. */
  of: readonly PaidQuery[]
  /** The calls that the button would make, if they differ from those above: filters may have been edited. */
  calls?: readonly ApiCall[]
  /** Calls that may follow, depending on the answers. The price is then the most that the button may cost. */
  mayFollow?: readonly ApiCall[]
  /** Text of the button before the first run. */
  label?: string
  /** Runs in another way than one call after the other. */
  onRun?: () => void
  /** Submits the form around it instead of running. */
  isSubmit?: boolean
  /** Without the setting that runs views at once, for a part of a page. */
  isPart?: boolean
}

/** The button that makes the calls of a view, with their price, and the calls as programs. */
export function RunBar({
  of,
  calls = of.map(({ call }) => call),
  mayFollow = [],
  label = 'Run',
  onRun,
  isSubmit = false,
  isPart = false,
}: RunBarProps) {
  const priced = [...calls, ...mayFollow]
  const { data: cost } = usePrice(priced)
  const isFetching = of.some(({ query }) => query.isFetching)
  const isAsked = of.every((paid) => paid.isAsked)
  const run =
    onRun ??
    (() => {
      for (const paid of of) paid.run()
    })
  return (
    <div class="run-bar">
      <button
        type={isSubmit ? 'submit' : 'button'}
        class={isPart ? 'small' : 'first'}
        // A disabled button would lose the focus.
        aria-disabled={isFetching}
        onClick={isSubmit || isFetching ? undefined : run}
      >
        {isFetching ? 'Running…' : isAsked && !isSubmit ? `${label} again` : label} · {mayFollow.length > 0 && 'up to '}
        <Price of={priced} />
      </button>
      <CodeButton calls={calls} isSmall={isPart} />
      {!isPart && (
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
      )}
      {!isAsked && <Refusal of={cost?.error} />}
    </div>
  )
}

/** Says why calls would be refused, and where to get plans and credits. */
export function Refusal({ of: error }: { of: Costs['error'] }) {
  if (error === undefined) return null
  return (
    <p class="notice warn" role="status">
      {error.message}.{' '}
      {(error.statusCode === 402 || error.statusCode === 403) && <a href="/dashboard/billing">See plans and packs</a>}
    </p>
  )
}

/** A button that shows calls as programs. */
export function CodeButton({ calls, isSmall = false }: { calls: readonly ApiCall[]; isSmall?: boolean }) {
  const id = useId()
  return (
    <>
      <button type="button" class={isSmall ? 'second small' : 'second'} popovertarget={id}>
        Copy as code
      </button>
      <div id={id} popover="auto" class="popover wide" role="dialog" aria-label="The call as code">
        <Programs calls={calls} />
      </div>
    </>
  )
}
