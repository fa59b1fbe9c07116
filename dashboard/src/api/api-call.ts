/** A call of the API that a view makes, described so that it can be priced and copied. */
export interface ApiCall {
  /** Path below /api/v1, such as /entries. */
  path: string
  params?: Record<string, unknown>
  /** Name of the method in the clients, such as entries.list. */
  method: string
  /** Ids in the path, in their order. */
  args?: readonly string[]
  /** Whether the answer is a page of a list. */
  isPaged?: boolean
}

const SECRET = 'YOUR_API_KEY'

/** Returns the query of a call as the service reads it; parameters without a value are left out. */
export function queryOf({ params = {} }: ApiCall): string {
  const query = new URLSearchParams(given(params).map(([name, value]) => [name, textOf(value)]))
  return query.size === 0 ? '' : `?${query}`
}

/** Returns programs that make the call: a shell command, TypeScript and Python. */
export function programsOf(call: ApiCall): Record<'curl' | 'TypeScript' | 'Python', string> {
  const url = location.origin
  return {
    curl: `curl -H "Authorization: Bearer ${SECRET}" \\\n  "${url}/api/v1${call.path}${queryOf(call)}"`,
    TypeScript: typescript(call, url),
    Python: python(call, url),
  }
}

function typescript({ method, args = [], params = {}, isPaged }: ApiCall, url: string): string {
  const fields = given(params).map(([name, value]) => `${name}: ${literal(value, { true: 'true', false: 'false' })}`)
  const input = [...args.map((arg) => JSON.stringify(arg)), ...(fields.length > 0 ? [`{ ${fields.join(', ')} }`] : [])]
  const called = `await client.${method}(${input.join(', ')})`
  return [
    "import { Mintick } from 'mintick-client'",
    '',
    `const client = new Mintick({ url: '${url}', apiKey: '${SECRET}' })`,
    isPaged ? `const page = ${called}\nconsole.log(page.data)` : `console.log(${called})`,
  ].join('\n')
}

function python({ method, args = [], params = {}, isPaged }: ApiCall, url: string): string {
  const input = [
    ...args.map((arg) => JSON.stringify(arg)),
    ...given(params).map(([name, value]) => `${snakeCase(name)}=${literal(value, { true: 'True', false: 'False' })}`),
  ]
  const called = `client.${snakeCase(method)}(${input.join(', ')})`
  return [
    'import mintick',
    '',
    `client = mintick.Client("${url}", "${SECRET}")`,
    isPaged ? `page = ${called}.page()\nprint(page.data)` : `print(${called})`,
  ].join('\n')
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
