import { type Selection, selected } from '../model/selection.ts'
import type { Column } from './encoder.ts'

/** CSV by RFC 4180 in UTF-8, with line feeds. Null is an empty cell, an empty text is "", lists and objects are JSON. */

export const csvHeader = (columns: readonly Column[]): string => `${columns.map(({ name }) => cell(name)).join(',')}\n`

export function csvRow(
  record: Record<string, unknown>,
  columns: readonly Column[],
  selection: Selection = 'all',
): string {
  const partOf = (name: string) => (selection === 'all' ? 'all' : (selection.get(name) ?? 'all'))
  return `${columns.map(({ name }) => cell(selected(record[name], partOf(name)))).join(',')}\n`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
