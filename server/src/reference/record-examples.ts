import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { openAccount } from '../admission/open-account.ts'
import type { Clock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { type AnyEndpoint, isInReference, isStream, routeOf } from '../http/endpoint.ts'
import { createMintick, type Mintick } from '../main.ts'
import { MINUTE, SECOND } from '../model/time.ts'
import type { ReceivedEvent } from '../store/billing/processor-events.ts'
import {
  type Answered,
  CHANGING_REQUESTS,
  type Example,
  type ExampleRequest,
  type Examples,
  FIRST_REQUESTS,
  READING_REQUESTS,
  usualRequest,
} from './example-requests.ts'

/** Sends a request and returns the answer, or the first event of a stream. */
export type Send = (request: {
  endpoint: AnyEndpoint<never>
  /** Address of the service. */
  url: string
  path: string
  body: unknown
  /** API key or token of the operator. */
  secret: string | undefined
}) => Promise<unknown>

const START = Date.UTC(2026, 2, 2, 10, 20)
/** Lists in answers are cut to this length. */
const MAX_ITEMS = 2
/** How long to wait for the end of a stream before looking again. */
const CLOSING_MS = 10

/** An event that no request of the examples causes. */
const PAYMENT_EVENT: ReceivedEvent = {
  id: 'evt_1QExample',
  type: 'checkout.session.expired',
  subject: { kind: 'checkout', id: 'cs_1QExample' },
}

const nameOf = ({ method, path }: AnyEndpoint<never>) => `${method} ${path}`

/**
 * Sends a request to every endpoint and returns the answers: those for callers by a service with the sample world, those
 * for operators by an empty one. The clock is fixed and random values are replaced, so that each recording is the same.
 */
export async function recordExamples(
  endpoints: readonly AnyEndpoint<never>[],
  send: Send = sendWithFetch,
): Promise<Examples> {
  const { operator = [], others = [] } = Object.groupBy(endpoints.filter(isInReference), ({ access }) =>
    access === 'operator' ? 'operator' : 'others',
  )
  const recorded = [...(await record(others, 'on', send)), ...(await record(operator, 'off', send))]
  const [text, stable] = [JSON.stringify(recorded), new StableValues()]
  return new Map(JSON.parse(text, (name, value) => stable.of(name, value)))
}

async function record(
  endpoints: readonly AnyEndpoint<never>[],
  sample: 'on' | 'off',
  send: Send,
): Promise<Map<string, Example>> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-examples-'))
  const clock = new SteppedClock()
  const config = readConfig({
    DATA_DIR: folder,
    SAMPLE_DATA: sample,
    SOURCES_RUN: 'off',
    EMBEDDINGS: 'off',
    EXPORT_FILES_DAYS: '1',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://mintick.example.com',
  })
  const mintick = await createMintick(config, { clock })
  try {
    const url = await mintick.app.listen({ port: 0, host: '127.0.0.1' })
    const recorder = new Recorder(mintick, url, clock, send)
    await recorder.open()
    for (const endpoint of inOrder(endpoints)) await recorder.record(endpoint)
    return recorder.examples
  } finally {
    await mintick.close()
    rmSync(folder, { recursive: true })
  }
}

function inOrder(endpoints: readonly AnyEndpoint<never>[]): AnyEndpoint<never>[] {
  const [first, last] = [Object.keys(FIRST_REQUESTS), Object.keys(CHANGING_REQUESTS)]
  const placeOf = (endpoint: AnyEndpoint<never>) => {
    const name = nameOf(endpoint)
    if (first.includes(name)) return first.indexOf(name) - first.length
    return last.indexOf(name) + 1
  }
  return endpoints.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** A clock that each request moves on by a second, so that records have different times. */
class SteppedClock implements Clock {
  #elapsed = 0
  now = () => START + this.#elapsed
  elapsed = () => this.#elapsed

  step(ms: number): void {
    this.#elapsed += ms
  }
}

class Recorder {
  readonly examples = new Map<string, Example>()
  readonly #mintick: Mintick
  readonly #url: string
  readonly #clock: SteppedClock
  readonly #send: Send
  #account = { id: '', key: '' }

  constructor(mintick: Mintick, url: string, clock: SteppedClock, send: Send) {
    this.#mintick = mintick
    this.#url = url
    this.#clock = clock
    this.#send = send
  }

  /** Opens the account that the examples use. */
  async open(): Promise<void> {
    this.#clock.step(MINUTE)
    const opened = await openAccount({ email: 'ada@example.com', name: 'Ada', planSlug: 'free' }, this.#mintick)
    if (opened === undefined) throw new Error('the account of the examples was not opened')
    this.#account = { id: opened.account.id, key: opened.apiKey }
    await this.#mintick.billing?.inbox.process(PAYMENT_EVENT)
    await this.#mintick.dailyFiles?.run()
  }

  async record(endpoint: AnyEndpoint<never>): Promise<void> {
    this.#clock.step(SECOND)
    const name = nameOf(endpoint)
    const { params = {}, query, body } = this.#requestTo(endpoint)
    const route = routeOf(endpoint).replaceAll(/:(\w+)/g, (_, param) => encodeURIComponent(params[param] ?? ''))
    const path = query === undefined ? route : `${route}?${query}`
    const answer = await this.#send({ endpoint, url: this.#url, path, body, secret: this.#secretFor(endpoint) })
    this.examples.set(name, { path, ...(body !== undefined && { body }), answer: shortened(answer) })
    // Log lines and charges of one request are part of the next answer, and so would be the time of an open stream.
    await this.#mintick.admission.requestWriter.drain()
    if (isStream(endpoint.returns)) await this.#closed()
    if (name === 'POST /billing/subscription') await this.#pay()
    if (name === 'POST /admin/accounts') await this.#useNewAccount()
  }

  readonly #answered: Answered = (name) => {
    const example = this.examples.get(name)
    if (example === undefined) throw new Error(`${name} has no answer yet`)
    return (example.answer as { data: unknown }).data
  }

  #requestTo(endpoint: AnyEndpoint<never>): ExampleRequest {
    const name = nameOf(endpoint)
    const request = FIRST_REQUESTS[name] ?? READING_REQUESTS[name] ?? CHANGING_REQUESTS[name]
    if (request === undefined) return usualRequest(endpoint, this.#answered)
    return typeof request === 'function' ? request(this.#answered) : request
  }

  #secretFor({ access }: AnyEndpoint<never>): string | undefined {
    if (access === 'open') return undefined
    return access === 'key' ? this.#account.key : this.#mintick.adminToken
  }

  async #closed(): Promise<void> {
    while ((await this.#mintick.store.streams.countOpen(this.#account.id)) > 0) await delay(CLOSING_MS)
  }

  /** Makes a request with the key of the account that the operator created, which its log shows. */
  async #useNewAccount(): Promise<void> {
    const { apiKey } = this.#answered('POST /admin/accounts')
    await fetch(`${this.#url}/api/v1/account`, { headers: { authorization: `Bearer ${apiKey}` } })
    await this.#mintick.admission.requestWriter.drain()
  }

  /** Pays the open checkout on the page of the sandbox. */
  async #pay(): Promise<void> {
    const { sessionId } = this.#answered('POST /billing/subscription')
    await this.#mintick.sandbox?.checkoutAction(sessionId, 'pay', {})
    await this.#mintick.billing?.fulfilment.syncCheckout(sessionId)
  }
}

export const sendWithFetch: Send = async ({ endpoint: { method, returns }, url, path, body, secret }) => {
  const headers: Record<string, string> = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
  if (returns === 'websocket') return firstMessage(url + path, headers)
  if (returns === 'event-stream') return firstServerSentEvent(url + path, headers)
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`the example ${method} ${path} was answered with ${text}`)
  // A file begins with the name of its format.
  if (response.headers.get('content-type')?.includes('parquet')) return `${text.slice(0, 4)}…`
  return JSON.parse(text)
}

function firstMessage(url: string, headers: Record<string, string>): Promise<unknown> {
  const socket = new WebSocket(url.replace('http:', 'ws:'), { headers })
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  socket.on('error', reject)
  socket.once('message', (message) => {
    socket.once('close', () => resolve(JSON.parse(String(message))))
    socket.close()
  })
  return promise
}

async function firstServerSentEvent(url: string, headers: Record<string, string>): Promise<unknown> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  if (response.body === null) throw new Error('the stream has no body')
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const event = firstEventIn(text)
    if (event === undefined) continue
    abort.abort()
    return event
  }
  throw new Error('the stream has no event')
}

/** Returns the first event in the text of a stream, if it is complete. */
export function firstEventIn(text: string): unknown {
  const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/m.exec(text) ?? []
  return data === undefined ? undefined : { id: Number(id), event, data: JSON.parse(data) }
}

/** Cuts the lists of an answer. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

/** Values by name of fields that depend on the machine. */
const OF_MACHINE: Record<string, unknown> = {
  durationMs: 1.5,
  p50Ms: 1.5,
  p99Ms: 4.9,
  eventLoopDelayMs: 0.4,
  memoryBytes: 150_000_000,
  bytes: { mintick: 4_000_000, ledger: 1_000_000 },
  host: 'server-1',
  pid: 1_234,
}

/** Replaces values that differ between recordings: random ids, secrets and what depends on the machine. */
class StableValues {
  readonly #ids = new Map<string, string>()

  of(name: string, value: unknown): unknown {
    if (name in OF_MACHINE && typeof value === typeof OF_MACHINE[name]) return OF_MACHINE[name]
    if (typeof value !== 'string') return value
    return (
      value
        // Ids of records are derived from their contents (version 8); version 4 is random.
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (id) =>
          this.#stable(id, '00000000-0000-4000-8000-000000000000'),
        )
        .replaceAll(/(?<=_sandbox_)[0-9a-f]{32}/g, (id) => this.#stable(id, '0'.repeat(32)))
        .replaceAll(/\b(mtk|mta)_[A-Za-z0-9]{44}/g, (_, kind) => `${kind}_${'x'.repeat(44)}`)
        .replaceAll(/^(mtk|mta)_[A-Za-z0-9]{8}$/g, (_, kind) => `${kind}_${'x'.repeat(8)}`)
        .replaceAll(/(?<=\/link#)[\w-]{43}$/g, 'x'.repeat(43))
        .replaceAll(/\bwhsec_[\w-]+/g, `whsec_${'x'.repeat(43)}`)
    )
  }

  /** Returns a number for each random text, in the form of `zero`. */
  #stable(random: string, zero: string): string {
    const number = this.#ids.get(random) ?? String(this.#ids.size + 1)
    this.#ids.set(random, number)
    return zero.slice(0, -number.length) + number
  }
}
