const WIDTH = 120

/** Returns a value as JSON in which everything that fits is on one line: short, and still readable line by line. */
export function jsonText(value: unknown): string {
  return `${written(value, '', 0)}\n`
}

/** `taken` is the length of the text before the value on its line. */
function written(value: unknown, indent: string, taken: number): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + taken + short.length < WIDTH) return short
  const inner = `${indent} `
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + written(item, inner, 0)).join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const key = `${JSON.stringify(name)}: `
      return inner + key + written(member, inner, key.length)
    })
  return `{\n${members.join(',\n')}\n${indent}}`
}
