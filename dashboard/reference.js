/** Makes the module `mintick:reference` from the generated reference: what pages must know about endpoints and signals before they call. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const PREFIX = '/api/v1'
/** Parameters that pages set by themselves. */
const OMITTED = ['fields', 'after', 'before', 'page', 'include', 'lastEventId']

export const reference = {
  name: 'reference',
  setup(build) {
    build.onResolve({ filter: /^mintick:reference$/ }, ({ path }) => ({ path, namespace: 'reference' }))
    build.onLoad({ filter: /./, namespace: 'reference' }, () => ({
      contents: [
        `export const ENDPOINTS = ${JSON.stringify(endpoints())}`,
        `export const SIGNAL_KINDS = ${JSON.stringify(signalKinds())}`,
      ].join('\n'),
    }))
  },
}

/** Returns the filters of the data endpoints, and the parameter that makes a call dearer, by path. */
function endpoints() {
  const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const resolve = (parameter) => components.parameters[parameter.$ref?.split('/').at(-1)] ?? parameter
  const described = Object.entries(paths).flatMap(([path, { get }]) => {
    if (!path.startsWith(PREFIX) || get === undefined || /^\/(?:account|billing)/.test(path.slice(PREFIX.length)))
      return []
    const parameters = (get.parameters ?? [])
      .map(resolve)
      .filter((parameter) => parameter.in === 'query' && !OMITTED.includes(parameter.name))
      .filter(({ description }) => !description.startsWith('The same as '))
      .map(parameterOf)
    return [[path.slice(PREFIX.length), { dearer: get['x-credits'].with?.parameter, parameters }]]
  })
  return Object.fromEntries(described)
}

function parameterOf({ name, description, schema }) {
  const { type, format, enum: values } = schema.items ?? schema
  const isList = schema.type === 'array'
  return {
    name,
    about: description.replace(/; a comma-separated list matches any of its values$/, ''),
    type: values ? 'choice' : format === 'date-time' ? 'time' : type === 'integer' ? 'number' : type,
    ...(isList && { isList }),
    ...(values && { values: values.filter((value) => value.includes(':') || !values.includes(`${value}:desc`)) }),
  }
}

/** Returns what each kind of signal says: the first sentence of its section. */
function signalKinds() {
  const text = readFileSync(join(ROOT, 'docs/reference/signals.md'), 'utf8')
  const found = [...text.matchAll(/^## ([a-z_]+)\n\n(.+?\.) /gm)].map(([, kind, says]) => [kind, says])
  if (found.length === 0) throw new Error('docs/reference/signals.md explains no kind of signal')
  return Object.fromEntries(found)
}
