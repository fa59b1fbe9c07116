/** An option of a kind of source, as a form shows it. */
export interface Option {
  name: string
  about: string
  type: 'text' | 'number' | 'day' | 'list'
  values: readonly string[] | undefined
  isRequired: boolean
  pattern: string | undefined
}

/** The parts of JSON Schema that options use. */
interface OptionSchema {
  type?: string
  description?: string
  enum?: readonly string[]
  pattern?: string
  format?: string
}

/** Reads the options from the schema of a kind; none without a schema. */
export function optionsOf(schema: Record<string, unknown> | undefined): Option[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, OptionSchema>
    required?: readonly string[]
  }
  const options = Object.entries(properties).map(([name, option]) => ({
    name,
    about: option.description ?? '',
    type: typeOf(option),
    values: option.enum,
    isRequired: required.includes(name),
    // The pattern of a field matches the whole value, that of a schema any part of it.
    pattern: option.pattern?.endsWith('$') ? option.pattern : undefined,
  }))
  return options.sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function typeOf({ type, format }: OptionSchema): Option['type'] {
  if (type === 'array') return 'list'
  if (type === 'number' || type === 'integer') return 'number'
  return format === 'date' ? 'day' : 'text'
}

/** Returns the values of the form as the service reads them. */
export function optionsIn(options: readonly Option[], values: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    options.flatMap(({ name, type }): [string, unknown][] => {
      const value = values[name]
      if (value === undefined) return []
      if (type === 'number') return [[name, Number(value)]]
      return [[name, type === 'list' ? listOf(value) : value]]
    }),
  )
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
