import { ENDPOINTS, type Parameter } from 'mintick:reference'
import type { CursorMeta, PageMeta } from 'mintick-client'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api/api-call.ts'
import { type PaidQuery, runPaid, showPaid, usePaidQuery } from '../api/paid-query.ts'
import { useAddress } from './address.ts'
import { Filters, fillFields, filterValues, typedValues } from './filters.tsx'
import { Form, formValues } from './form.tsx'
import { formatNumber } from './format.ts'
import { Price } from './price.tsx'
import { RunBar } from './run-bar.tsx'
import { Empty, Loaded, Skeleton } from './states.tsx'

type Values = Readonly<Record<string, string>>

const PLACES = ['after', 'before', 'page']

interface ListOptions<Method extends string> {
  method: Method
  path: string
  /** Parameters that the view itself sets. */
  fixed?: Record<string, string>
}

/** A list of the API whose filters and place are those in the address of the page. */
export function useList<Method extends string>({ method, path, fixed = {} }: ListOptions<Method>) {
  const { values, linkTo, route } = useAddress()
  const parameters = (ENDPOINTS[path]?.parameters ?? []).filter(({ name }) => fixed[name] === undefined)
  const names = [...parameters.map(({ name }) => name), ...PLACES]
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
  const callOf = (chosen: Values): ApiCall<Method> => ({
    path,
    method,
    kind: 'list',
    params: { ...fixed, ...typedValues(parameters, chosen) },
  })
  const paid = usePaidQuery(callOf(given))
  const addressWith = (chosen: Values) =>
    linkTo({ ...Object.fromEntries(names.map((name) => [name, undefined])), open: undefined, ...chosen })
  return {
    paid,
    parameters,
    given,
    callOf,
    addressWith,
    /** Shows the list with these filters, and pays for it. */
    run: (chosen: Values) => {
      const address = addressWith(chosen)
      route(address, address === addressWith(given))
      runPaid(callOf(chosen))
    },
    /** Shows another page of the list; one that was shown before is free. */
    turn: (place: Values) => {
      route(addressWith(place))
      showPaid(callOf(place))
    },
  }
}

/** A list as its form and its page need it. */
export interface List<T> {
  paid: PaidQuery & { query: { data: { data: T[]; meta: object } | undefined; error: Error | null } }
  parameters: readonly Parameter[]
  /** Filters and place in the address. */
  given: Values
  callOf: (chosen: Values) => ApiCall
  addressWith: (chosen: Values) => string
  run: (chosen: Values) => void
  turn: (place: Values) => void
}

/** The filters of a list, with the button that runs it. */
export function ListForm<T>({ of, usual }: { of: List<T>; usual: readonly string[] }) {
  const { paid, parameters, given, callOf, addressWith, run } = of
  const [edited, setEdited] = useState<Values>()
  const filters = withoutPlace(given)
  const address = addressWith(given)
  const fields = useRef<HTMLDivElement>(null)
  // The fields follow the address, as when the reader goes back.
  useLayoutEffect(() => {
    fillFields(fields.current, parameters, filters)
    setEdited(undefined)
  }, [address])
  return (
    <Form class="list-form card" onSubmit={(values) => run(filterValues(parameters, values))}>
      <div
        ref={fields}
        onInput={({ currentTarget }) => {
          const form = currentTarget.closest('form')
          if (form !== null) setEdited(filterValues(parameters, formValues(form)))
        }}
      >
        <Filters parameters={parameters} usual={usual} values={filters} error={paid.query.error} />
      </div>
      <RunBar of={[paid]} calls={[callOf(edited ?? given)]} isSubmit />
      {Object.keys(filters).length > 0 && (
        <p class="small">
          <a href={addressWith({})}>Clear the filters</a>
        </p>
      )}
    </Form>
  )
}

function withoutPlace(given: Values): Values {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !PLACES.includes(name)))
}

interface ListResultProps<T> {
  of: List<T>
  /** Id of the record that is open beside the list. */
  openId?: string | undefined
  /** Text shown when nothing matches. */
  none: string
  children: (rows: T[]) => ComponentChildren
}

/** The page of a list: nothing yet, loading, the rows, or what went wrong. */
export function ListResult<T>({ of, openId, none, children }: ListResultProps<T>) {
  const { paid, given, addressWith } = of
  const frame = useRef<HTMLDivElement>(null)
  // To open a record must not render all rows again.
  const rows = useMemo(() => paid.query.data && children(paid.query.data.data), [paid.query.data, addressWith(given)])
  useLayoutEffect(() => markOpen(frame.current, openId), [rows, openId])
  if (!paid.isAsked) {
    return (
      <Empty title="Nothing is loaded yet.">
        <p>Choose filters if you like, and run. The button shows the price; coming back to a list is free.</p>
      </Empty>
    )
  }
  return (
    <Loaded of={paid.query} skeleton={<Skeleton lines={12} />}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={none}>{Object.keys(given).length > 0 && <p>Try fewer or other filters.</p>}</Empty>
        ) : (
          <div ref={frame} aria-busy={paid.query.isFetching}>
            {rows}
            <Pager of={of} meta={meta as CursorMeta | PageMeta} />
          </div>
        )
      }
    </Loaded>
  )
}

/** Marks the row of the open record: the one with its link. */
function markOpen(frame: Element | null, id: string | undefined): void {
  for (const row of frame?.querySelectorAll('[aria-current]') ?? []) row.removeAttribute('aria-current')
  if (id === undefined) return
  const link = frame?.querySelector(`a[href*="open=${CSS.escape(encodeURIComponent(id))}"]`)
  link?.closest('li, tr')?.setAttribute('aria-current', 'true')
}

function Pager<T>({ of: { given, callOf, turn }, meta }: { of: List<T>; meta: CursorMeta | PageMeta }) {
  const filters = withoutPlace(given)
  const [previous, next] =
    'nextCursor' in meta
      ? [place('before', meta.prevCursor), place('after', meta.nextCursor)]
      : [place('page', meta.prevPage), place('page', meta.nextPage)]
  const button = (label: string, to: Values | undefined) =>
    to !== undefined && (
      <button
        type="button"
        class="small"
        onClick={() => {
          scrollTo(0, 0)
          turn({ ...filters, ...to })
        }}
      >
        {label} · <Price of={[callOf(given)]} />
      </button>
    )
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="quiet small">
        {formatNumber(meta.count)} of {formatNumber(meta.totalCount)}
        {'page' in meta &&
          meta.totalPages > 1 &&
          `, page ${formatNumber(meta.page)} of ${formatNumber(meta.totalPages)}`}
      </span>
      <span class="actions">
        {button('Previous page', previous)}
        {button('Next page', next)}
      </span>
    </nav>
  )
}

function place(name: string, value: string | number | null): Record<string, string> | undefined {
  return value === null ? undefined : { [name]: String(value) }
}
