import type { AccountUsage } from 'mintick-client'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { dashboardKeyId } from '../../api/account.ts'
import { useAddress } from '../../ui/address.ts'
import { Field, Form, formValues } from '../../ui/form.tsx'
import { toLocal } from '../../ui/local-time.ts'
import { STATUSES } from './log-query.ts'

const TIMES = ['from', 'to'] as const
const NAMES = ['key', 'status', 'path', ...TIMES] as const
const CODES = [200, ...STATUSES.errors]

/** The filters of the log, which are those in the address of the page. */
export function LogFilters({ usage }: { usage: AccountUsage }) {
  const { values, linkTo, route } = useAddress()
  const form = useRef<HTMLDivElement>(null)
  const shown = JSON.stringify(NAMES.map((name) => values[name]))
  // The fields follow the address, as when the reader goes back.
  useLayoutEffect(() => {
    for (const name of NAMES) {
      const field = form.current?.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`)
      const value = values[name] ?? ''
      if (field) field.value = isTime(name) ? toLocal(value) : value
    }
  }, [shown])
  const apply = (fields: Record<string, string>) => {
    const chosen = NAMES.map((name) => {
      const value = fields[name]
      return [name, value !== undefined && isTime(name) ? new Date(value).toISOString() : value] as const
    })
    const address = linkTo({ ...Object.fromEntries(chosen), offset: undefined, request: undefined })
    // Enter in a field both changes it and submits the form.
    if (address !== location.pathname + location.search) route(address)
  }
  const hasFilters = NAMES.some((name) => values[name] !== undefined)
  const keys = usage.byKey.filter(({ apiKeyId }) => apiKeyId !== dashboardKeyId(usage))
  return (
    <Form class="card log-filters" onSubmit={apply}>
      <div
        ref={form}
        class="filters"
        onChange={({ currentTarget }) => {
          const element = currentTarget.closest('form')
          if (element !== null) apply(formValues(element))
        }}
      >
        <Field label="Key">
          {(props) => (
            <select {...props} name="key">
              <option value="">any</option>
              {keys.map(({ apiKeyId, name, keyPrefix }) => (
                <option key={apiKeyId} value={apiKeyId}>
                  {name} ({keyPrefix}…)
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Status">
          {(props) => (
            <select {...props} name="status">
              <option value="">any</option>
              <option value="succeeded">succeeded</option>
              <option value="errors">errors</option>
              {CODES.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Path or endpoint">
          {(props) => (
            <>
              <input
                {...props}
                name="path"
                type="text"
                list="log-endpoints"
                placeholder="/entries"
                autocomplete="off"
              />
              <datalist id="log-endpoints">
                {usage.byEndpoint.map(({ endpoint }) => (
                  <option key={endpoint} value={endpoint} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="From">{(props) => <input {...props} name="from" type="datetime-local" step={1} />}</Field>
        <Field label="To">{(props) => <input {...props} name="to" type="datetime-local" step={1} />}</Field>
      </div>
      <div class="actions">
        <label class="check">
          <input
            type="checkbox"
            checked={values.dashboard === 'yes'}
            onChange={({ currentTarget }) =>
              route(linkTo({ dashboard: currentTarget.checked ? 'yes' : undefined, offset: undefined }))
            }
          />
          Show the calls of this dashboard
        </label>
        {hasFilters && (
          <a href={linkTo(Object.fromEntries(NAMES.map((name) => [name, undefined])))}>Clear the filters</a>
        )}
        {/* Enter in a field applies the filters; a form with several fields needs a button for that. */}
        <button type="submit" class="hidden">
          Apply the filters
        </button>
      </div>
    </Form>
  )
}

const isTime = (name: string) => (TIMES as readonly string[]).includes(name)
