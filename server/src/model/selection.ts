/** The selected fields of a record. `all` selects the whole value. */
export type Selection = 'all' | Map<string, Selection>

/** Returns the value with the selected fields, in their order in the value; of a list, each item so. */
export function selected(value: unknown, selection: Selection): unknown {
  if (selection === 'all' || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => selected(item, selection))
  const chosen: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const part = selection.get(name)
    if (part !== undefined) chosen[name] = selected(member, part)
  }
  return chosen
}
