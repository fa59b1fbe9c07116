import type { ComponentChildren } from 'preact'
import type { ApiCall } from '../api/api-call.ts'
import { RunBar } from './run-bar.tsx'
import { Loaded } from './states.tsx'

interface PaidPartProps<T> {
  title: string
  of: {
    call: ApiCall
    isAsked: boolean
    run: () => void
    query: { data: T | undefined; error: Error | null; isFetching: boolean }
  }
  children: (data: T) => ComponentChildren
}

/** A part of a page that is loaded on demand, with its price. */
export function PaidPart<T>({ title, of, children }: PaidPartProps<T>) {
  return (
    <section class="part">
      <h3>{title}</h3>
      <RunBar of={[of]} label="Load" isPart />
      {of.isAsked && <Loaded of={of.query}>{children}</Loaded>}
    </section>
  )
}
