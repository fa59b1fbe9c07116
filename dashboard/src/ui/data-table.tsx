import type { ComponentChildren } from 'preact'

export interface Column<T> {
  title: string
  /** Aligns figures to the right. */
  isNumber?: boolean
  cell: (row: T) => ComponentChildren
}

interface TableProps<T> {
  /** Says what the table lists, to readers who do not see it. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Makes rows clickable; a row should also have a link or button for the keyboard. */
  onRow?: (row: T) => void
  isSelected?: (row: T) => boolean
}

/** A table; on a phone each row becomes a card. */
export function DataTable<T>({ caption, columns, rows, keyOf, onRow, isSelected }: TableProps<T>) {
  return (
    <div class="table-frame">
      <table class="data">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={onRow && 'clickable'}
              aria-current={isSelected?.(row) ? 'true' : undefined}
              onClick={onRow && ((event) => isControl(event.target) || onRow(row))}
            >
              {columns.map(({ title, isNumber, cell }) => (
                <td key={title} data-title={title} class={isNumber ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns whether a click is for a link or a button inside of the row. */
const isControl = (target: EventTarget | null) => target instanceof Element && target.closest('a, button') !== null
