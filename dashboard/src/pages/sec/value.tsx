import { formatCompact, formatNumber } from '../../ui/format.ts'
import { Outside } from '../../ui/market-data.tsx'
import { nameOf } from '../../ui/names.ts'
import { Day, Time } from '../../ui/time.tsx'

const LARGE = 10_000_000

/** A value of a record, shown by what it is: a time, a figure, a flag, a list or a group of values. */
export function Value({ of: value, field, isShort = false }: { of: unknown; field: string; isShort?: boolean }) {
  if (value === null || value === undefined) return <span class="quiet">–</span>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number') return <>{formatFigure(value, field, isShort)}</>
  if (Array.isArray(value)) return <Values of={value} field={field} isShort={isShort} />
  if (typeof value === 'object') return <Group of={value} />
  const text = String(value)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return <Day day={text} />
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return <Time at={text} />
  if (/[uU]rl$/.test(field)) return <Outside href={text}>{text}</Outside>
  return <>{/^[a-z]+_[a-z_]+$/.test(text) ? text.replaceAll('_', ' ') : text}</>
}

function formatFigure(value: number, field: string, isShort: boolean): string {
  if (field.endsWith('Year')) return String(value)
  return isShort && Math.abs(value) >= LARGE ? formatCompact(value) : formatNumber(value)
}

function Values({ of, field, isShort }: { of: readonly unknown[]; field: string; isShort: boolean }) {
  if (of.length === 0) return <span class="quiet">–</span>
  if (isShort) return <>{of.map(shortOf).join(', ')}</>
  return (
    <ul class="evidence">
      {of.map((item) => (
        <li key={JSON.stringify(item)}>
          <Item of={item} field={field} />
        </li>
      ))}
    </ul>
  )
}

/** An item of a list in one line; one with an address is a link. */
function Item({ of, field }: { of: unknown; field: string }) {
  if (typeof of !== 'object' || of === null) return <Value of={of} field={field} />
  const { url = null, ...others } = of as { url?: string | null }
  const known = Object.entries(others).filter(([, value]) => value !== null)
  const line = known.map(([name, value], index) => (
    <span key={name}>
      {index > 0 && ' · '}
      <Value of={value} field={name} isShort />
    </span>
  ))
  return url === null ? <span>{line}</span> : <Outside href={url}>{line}</Outside>
}

/** Returns what names an item: its code or its name. */
function shortOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const [first] = Object.values(item).filter((value) => typeof value === 'string')
  return first ?? ''
}

function Group({ of }: { of: object }) {
  const known = Object.entries(of).filter(([, value]) => value !== null)
  return (
    <dl class="facts">
      {known.flatMap(([name, value]) => [
        <dt key={name}>{nameOf(name)}</dt>,
        <dd key={`${name} value`}>
          <Value of={value} field={name} />
        </dd>,
      ])}
    </dl>
  )
}
