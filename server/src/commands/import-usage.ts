import { IMPORTABLES, RESOURCE_NAMES } from '../import/resources.ts'

/** Returns a line of the usage text per resource, with the fields of its example. */
export function resourceLines(): string {
  return RESOURCE_NAMES.map(
    (name) => `    ${name.padEnd(24)}${Object.keys(IMPORTABLES[name].example).slice(0, 8).join(', ')} …`,
  ).join('\n')
}
