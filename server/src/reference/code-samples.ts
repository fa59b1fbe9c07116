import type { AnyEndpoint, Returns } from '../http/endpoint.ts'
import type { ExampleCall } from './example-requests.ts'

/** A program that sends the request of an example and prints the answer. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python'
  source: string
}

/** Address of a service with the usual settings, as samples have it. */
export const SAMPLE_URL = 'http://127.0.0.1:3000'

interface Call extends ExampleCall {
  method: string
  url: string
  /** Name of the environment variable that has the key or token. */
  secret: 'KEY' | 'ADMIN_TOKEN' | undefined
  returns: Returns
}

/** Returns the samples of an endpoint. Their key, or the token of an operator, is in an environment variable. */
export function codeSamplesOf(endpoint: AnyEndpoint<never>, { path, body }: ExampleCall): CodeSample[] {
  const { access, method, returns } = endpoint
  const secret = ({ key: 'KEY', operator: 'ADMIN_TOKEN', open: undefined, signed: undefined } as const)[access]
  const call = { method, path, body, url: SAMPLE_URL + path, secret, returns }
  return [
    { lang: 'Shell', source: shellOf(call) },
    { lang: 'TypeScript', source: typescriptOf(call) },
    // The standard library of Python has no WebSocket.
    ...(returns === 'websocket' ? [] : [{ lang: 'Python' as const, source: pythonOf(call) }]),
  ]
}

const webSocketUrl = (url: string) => url.replace('http', 'ws')

/** Returns a sample that calls the service at another address. */
export const atUrl = (source: string, url: string): string =>
  source.replaceAll(SAMPLE_URL, url).replaceAll(webSocketUrl(SAMPLE_URL), webSocketUrl(url))

function shellOf({ method, url, body, secret, returns }: Call): string {
  const header = secret === undefined ? '' : ` -H "Authorization: Bearer $${secret}"`
  if (returns === 'websocket') return `npx wscat${header} -c "${webSocketUrl(url)}"`
  const options = [
    returns === 'event-stream' ? ' -N' : '',
    method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`,
    header,
    body === undefined ? '' : ` -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ]
  return `curl${options.join('')} "${url}"`
}

function typescriptOf({ method, url, body, secret, returns }: Call): string {
  const headers = secret === undefined ? undefined : `headers: { Authorization: \`Bearer \${process.env.${secret}}\` }`
  if (returns === 'websocket') {
    return `import WebSocket from 'ws'

const socket = new WebSocket('${webSocketUrl(url)}', {
  ${headers},
})
socket.on('message', (event) => console.log(String(event)))`
  }
  const options = [
    method === 'GET' ? undefined : `method: '${method}'`,
    headers,
    body === undefined ? undefined : `body: JSON.stringify(${literal(body, TYPESCRIPT)})`,
  ].filter((option) => option !== undefined)
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`
  const sent = `const response = await fetch('${url}'${given})`
  if (returns === 'event-stream') {
    return `${sent}
for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
  console.log(text)
}`
  }
  return `${sent}\nconsole.log(await response.json())`
}

function pythonOf({ method, url, body, secret, returns }: Call): string {
  const options = [
    `"${url}"`,
    method === 'GET' ? undefined : `method="${method}"`,
    secret === undefined ? undefined : `headers={"Authorization": "Bearer " + os.environ["${secret}"]}`,
    body === undefined ? undefined : `data=json.dumps(${literal(body, PYTHON)}).encode()`,
  ].filter((option) => option !== undefined)
  const given = options.length === 1 ? options.join() : `\n${options.map((option) => `    ${option},\n`).join('')}`
  const printed =
    returns === 'event-stream'
      ? '    for line in response:\n        print(line.decode())'
      : '    print(json.load(response))'
  const modules = [
    ...(returns === 'event-stream' ? [] : ['json']),
    ...(secret === undefined ? [] : ['os']),
    'urllib.request',
  ]
  return `${modules.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(${given})
with urllib.request.urlopen(request) as response:
${printed}`
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
function literal(value: unknown, language: Language, indent = language.indent): string {
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
