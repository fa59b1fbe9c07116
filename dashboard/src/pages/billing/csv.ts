/** Returns rows as CSV (RFC 4180) with a line of names. */
export function csvOf<Field extends string>(
  fields: readonly Field[],
  rows: readonly Record<Field, string | number | null>[],
): string {
  const lines = [fields, ...rows.map((row) => fields.map((field) => cell(row[field])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // Spreadsheets run texts that begin like a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
