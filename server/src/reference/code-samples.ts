import { type AnyEndpoint, hasEnvelope, type Returns } from '../http/endpoint.ts'
import type { ExampleCall } from './example-requests.ts'
import { type MethodName, methodNames } from './method-names.ts'
import { pythonName } from './python-name.ts'

/** A program that sends the request of an example and prints the answer. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python'
  source: string
}

/** Address of a service with the usual settings, as samples have it. */
export const SAMPLE_URL = 'http://127.0.0.1:3000'

interface Call {
  method: string
  url: string
  body: unknown
  /** Name of the environment variable that has the key or token. */
  secret: 'KEY' | 'ADMIN_TOKEN' | undefined
  returns: Returns
}

/** A call of a method of a client. */
interface ClientCall extends MethodName {
  pathValues: readonly string[]
  params: Record<string, unknown>
  isPaged: boolean
}

/**
 * Returns a function that writes the samples of an endpoint. Their key, or the token of an operator, is in an environment
 * variable. Streams and files are read without a client, to show their first event or row.
 */
export function codeSamples(endpoints: readonly AnyEndpoint<never>[]) {
  const names = methodNames(endpoints)
  return (endpoint: AnyEndpoint<never>, { path, body }: ExampleCall): CodeSample[] => {
    const { access, method, returns } = endpoint
    const secret = access === 'key' ? 'KEY' : access === 'operator' ? 'ADMIN_TOKEN' : undefined
    const call: Call = { method, body, url: SAMPLE_URL + path, secret, returns }
    const shell: CodeSample = { lang: 'Shell', source: shellOf(call) }
    const name = names.get(endpoint)
    if (endpoint.cost.perFile) return [{ lang: 'Shell', source: shell.source.replace('curl', 'curl -OJ') }]
    if (returns === 'websocket') return [{ lang: 'TypeScript', source: webSocketProgram(call) }]
    if (!hasEnvelope(returns) || name === undefined) {
      return [
        shell,
        { lang: 'TypeScript', source: fetchProgram(call) },
        { lang: 'Python', source: urllibProgram(call) },
      ]
    }
    const clientCall = { ...name, ...inputOf(endpoint, path, body), isPaged: isPaged(endpoint) }
    return [
      shell,
      { lang: 'TypeScript', source: typescriptProgram(clientCall) },
      { lang: 'Python', source: pythonProgram(clientCall) },
    ]
  }
}

const isPaged = ({ returns }: AnyEndpoint<never>) => returns.endsWith('-list') || returns === 'series'

/** Returns the values in a path, and the query parameters or the fields of the body. */
function inputOf({ path: route, query }: AnyEndpoint<never>, path: string, body: unknown) {
  const { pathname, searchParams } = new URL(path, SAMPLE_URL)
  const pattern = new RegExp(`${route.replaceAll(/:\w+/g, '([^/]+)')}$`)
  const pathValues = (pattern.exec(pathname)?.slice(1) ?? []).map(decodeURIComponent)
  const values = [...searchParams].map(([name, value]) => {
    const { type } = (query?.properties[name] ?? {}) as { type?: string }
    return [name, type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(value) : value] as const
  })
  return { pathValues, params: (body as Record<string, unknown>) ?? Object.fromEntries(values) }
}

/** Returns a sample that calls the service at another address. */
export const atUrl = (source: string, url: string): string =>
  source.replaceAll(SAMPLE_URL, url).replaceAll(webSocketUrl(SAMPLE_URL), webSocketUrl(url))

const webSocketUrl = (url: string) => url.replace('http', 'ws')

function shellOf({ method, url, body, secret, returns }: Call): string {
  const header = secret === undefined ? '' : ` -H "Authorization: Bearer $${secret}"`
  const options = [
    returns === 'event-stream' ? ' -N' : '',
    method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`,
    header,
    body === undefined ? '' : ` -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ]
  return `curl${options.join('')} "${url}"`
}

function typescriptProgram({ client, resource, method, pathValues, params, isPaged }: ClientCall): string {
  const given = [
    ...pathValues.map((value) => TYPESCRIPT.text(value)),
    ...(Object.keys(params).length > 0 ? [literal(params, TYPESCRIPT)] : []),
  ]
  const called = `${[...(client === 'admin' ? ['admin'] : ['client']), ...resource, method].join('.')}(${given.join(', ')})`
  const opened =
    client === 'admin'
      ? `import { MintickAdmin } from 'mintick-client/admin'

const admin = new MintickAdmin({ url: '${SAMPLE_URL}', token: process.env.ADMIN_TOKEN ?? '' })`
      : `import { Mintick } from 'mintick-client'

const client = new Mintick({ url: '${SAMPLE_URL}', apiKey: process.env.KEY ?? '' })`
  return isPaged
    ? `${opened}\nconst page = await ${called}\nconsole.log(page.data)`
    : `${opened}\nconsole.log(await ${called})`
}

function pythonProgram({ client, resource, method, pathValues, params, isPaged }: ClientCall): string {
  const given = [
    ...pathValues.map((value) => PYTHON.text(value)),
    ...Object.entries(params).map(([name, value]) => `${pythonName(name)}=${literal(value, PYTHON, '')}`),
  ]
  const names = [client === 'admin' ? 'admin' : 'client', ...resource, method].map(pythonName)
  const called = `${names.join('.')}(${given.join(', ')})`
  const opened =
    client === 'admin'
      ? `admin = mintick.Admin("${SAMPLE_URL}", os.environ["ADMIN_TOKEN"])`
      : `client = mintick.Client("${SAMPLE_URL}", os.environ["KEY"])`
  return `import os\nimport mintick\n\n${opened}\n${isPaged ? `page = ${called}.page()\nprint(page.data)` : `print(${called})`}`
}

function webSocketProgram({ url, secret }: Call): string {
  return `import WebSocket from 'ws'

const socket = new WebSocket('${webSocketUrl(url)}', {
  headers: { Authorization: \`Bearer \${process.env.${secret}}\` },
})
socket.on('message', (event) => console.log(String(event)))`
}

function fetchProgram({ url, secret }: Call): string {
  return `const response = await fetch('${url}', {
  headers: { Authorization: \`Bearer \${process.env.${secret}}\` },
})
for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
  console.log(text)
}`
}

function urllibProgram({ url, secret }: Call): string {
  return `import os
import urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer " + os.environ["${secret}"]},
)
with urllib.request.urlopen(request) as response:
    for line in response:
        print(line.decode())`
}

interface Language {
  indent: string
  words: Record<'true' | 'false' | 'null', string>
  text(value: string): string
  key(name: string): string
}

const TYPESCRIPT: Language = {
  indent: '  ',
  words: { true: 'true', false: 'false', null: 'null' },
  text: (value) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
}

const PYTHON: Language = {
  indent: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
}

const MAX_WIDTH = 72

/** Returns a value as source code, on one line if it is short. */
function literal(value: unknown, language: Language, indent = ''): string {
  if (typeof value === 'string') return language.text(value)
  if (typeof value === 'boolean' || value === null) return language.words[`${value}`]
  if (typeof value !== 'object') return String(value)
  const inner = indent + language.indent
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, language, inner))
    : Object.entries(value).map(([name, member]) => `${language.key(name)}: ${literal(member, language, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const space = language === TYPESCRIPT && open === '{' ? ' ' : ''
  const short = `${open}${space}${parts.join(', ')}${space}${close}`
  if (short.length <= MAX_WIDTH && !short.includes('\n')) return short
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
