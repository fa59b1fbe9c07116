import type { Parameter } from 'mintick:reference'
import { Field } from './form.tsx'
import { toLocal } from './local-time.ts'
import { nameOf } from './names.ts'

interface FiltersProps {
  parameters: readonly Parameter[]
  /** Names of the filters that are always shown; the others are behind "More filters". */
  usual: readonly string[]
  values: Readonly<Record<string, string>>
  error: Error | null
}

/** The fields of a list's filters, as the reference describes them. */
export function Filters({ parameters, usual, values, error }: FiltersProps) {
  const shown = usual.flatMap((name) => parameters.find((parameter) => parameter.name === name) ?? [])
  const more = parameters.filter(({ name }) => !usual.includes(name))
  const used = more.filter(({ name }) => values[name] !== undefined).length
  const fields = (group: readonly Parameter[]) =>
    group.map((parameter) => (
      <FilterField key={parameter.name} parameter={parameter} value={values[parameter.name] ?? ''} error={error} />
    ))
  return (
    <>
      <div class="filters">{fields(shown)}</div>
      {more.length > 0 && (
        <details class="more" open={used > 0}>
          <summary>More filters{used > 0 && ` (${used})`}</summary>
          <div class="filters">{fields(more)}</div>
        </details>
      )}
    </>
  )
}

function FilterField({ parameter, value, error }: { parameter: Parameter; value: string; error: Error | null }) {
  const { name, about, type, isList } = parameter
  const common = { name, title: about }
  return (
    <Field label={nameOf(name)} name={name} error={error}>
      {(props) => {
        if (type === 'choice' || type === 'boolean') return <Choice {...props} parameter={parameter} value={value} />
        if (type === 'number') return <input {...props} {...common} type="number" step="any" />
        if (type === 'time' && isTime(value)) return <input {...props} {...common} type="datetime-local" />
        return <input {...props} {...common} type="text" placeholder={isList ? 'any' : undefined} />
      }}
    </Field>
  )
}

function Choice({ parameter, value, ...props }: { parameter: Parameter; value: string }) {
  const values = parameter.values ?? ['true', 'false']
  // An address may have several values, or a wrong one.
  const options = value === '' || values.includes(value) ? values : [...values, value]
  return (
    <select {...props} name={parameter.name} title={parameter.about}>
      <option value="">{parameter.name === 'sortBy' ? 'default' : 'any'}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {wordOf(option)}
        </option>
      ))}
    </select>
  )
}

function wordOf(value: string): string {
  const [field = '', direction] = value.split(':')
  if (direction !== undefined) return `${nameOf(field)}, ${direction === 'asc' ? 'ascending' : 'descending'}`
  return { true: 'yes', false: 'no' }[value] ?? value.replaceAll('_', ' ')
}

/** Whether a field for times can show the text; an address may have any. */
const isTime = (text: string) => text === '' || !Number.isNaN(Date.parse(text))

/** Shows values in the fields inside an element. */
export function fillFields(
  element: Element | null,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): void {
  for (const { name, type } of parameters) {
    const field = element?.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`)
    const value = values[name] ?? ''
    if (field) field.value = type === 'time' && isTime(value) ? toLocal(value, 'minutes') : value
  }
}

/** Returns the values of the fields as addresses and calls have them: times in UTC. */
export function filterValues(
  parameters: readonly Parameter[],
  fields: Readonly<Record<string, string>>,
): Record<string, string> {
  const takesTime = (name: string) =>
    parameters.some((parameter) => parameter.name === name && parameter.type === 'time')
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      takesTime(name) && isTime(value) ? new Date(value).toISOString() : value,
    ]),
  )
}

/** Returns values as arguments of a call: numbers and flags are no texts in programs. */
export function typedValues(
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = parameters.find((parameter) => parameter.name === name)?.type
      if ((type === 'number' || name === 'page') && !Number.isNaN(Number(value))) return [name, Number(value)]
      if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true']
      return [name, value]
    }),
  )
}
