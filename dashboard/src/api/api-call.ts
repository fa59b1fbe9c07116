/** A call of the API that a view makes, described so that it can be priced, copied and sent. */
export interface ApiCall<Method extends string = string> {
  /** Path below /api/v1, such as /entries. */
  path: string
  params?: Record<string, unknown>
  /** Name of the method in the clients, such as entries.list. */
  method: Method
  /** Ids in the path, in their order. */
  args?: readonly string[]
  /** Kind of the answer, unless it is a single record. */
  kind?: 'list' | 'stream'
}

const SECRET = 'YOUR_API_KEY'

/** Returns the query of a call as the service reads it; parameters without a value are left out. */
export function queryOf({ params = {} }: ApiCall): string {
  const query = new URLSearchParams(given(params).map(([name, value]) => [name, textOf(value)]))
  return query.size === 0 ? '' : `?${query}`
}

/** Returns programs that make the calls: a shell command, TypeScript and Python. */
export function programsOf(calls: readonly ApiCall[]): Record<'curl' | 'TypeScript' | 'Python', string> {
  const url = location.origin
  return {
    curl: calls
      .map((call) => `curl -H "Authorization: Bearer ${SECRET}" \\\n  "${url}/api/v1${call.path}${queryOf(call)}"`)
      .join('\n\n'),
    TypeScript: [
      "import { Mintick } from 'mintick-client'",
      '',
      `const client = new Mintick({ url: '${url}', apiKey: '${SECRET}' })`,
      ...calls.map(typescript),
    ].join('\n'),
    Python: ['import mintick', '', `client = mintick.Client("${url}", "${SECRET}")`, ...calls.map(python)].join('\n'),
  }
}

function typescript({ method, args = [], params = {}, kind }: ApiCall): string {
  const fields = given(params).map(([name, value]) => `${name}: ${literal(value, { true: 'true', false: 'false' })}`)
  const input = [...args.map((arg) => JSON.stringify(arg)), ...(fields.length > 0 ? [`{ ${fields.join(', ')} }`] : [])]
  const called = `client.${method}(${input.join(', ')})`
  if (kind === 'stream') return `for await (const { data } of ${called}) console.log(data.change, data.signal)`
  return kind === 'list' ? `console.log((await ${called}).data)` : `console.log(await ${called})`
}

function python({ method, args = [], params = {}, kind }: ApiCall): string {
  const input = [
    ...args.map((arg) => JSON.stringify(arg)),
    ...given(params).map(([name, value]) => `${snakeCase(name)}=${literal(value, { true: 'True', false: 'False' })}`),
  ]
  const called = `client.${snakeCase(method)}(${input.join(', ')})`
  if (kind === 'stream') return `for event in ${called}:\n    print(event["data"])`
  return kind === 'list' ? `print(${called}.page().data)` : `print(${called})`
}

const given = (params: Record<string, unknown>) =>
  Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '')

const textOf = (value: unknown) => (Array.isArray(value) ? value.join() : String(value))

function literal(value: unknown, words: { true: string; false: string }): string {
  if (typeof value === 'boolean') return words[`${value}`]
  if (typeof value === 'number') return String(value)
  return JSON.stringify(textOf(value))
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
