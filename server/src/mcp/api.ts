import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { DEMO_KEY } from '../admission/key.ts'
import type { Reply } from '../http/relay.ts'
import type { FieldError } from '../model/errors.ts'
import { plural } from './text.ts'

/** Sends a GET request with the caller's key to a path of the service. */
export type Send = (path: string) => Promise<Reply>

/** A GET request to the API. Parameters without a value are left out. */
export interface ApiRequest {
  /** Below /api/v1, with its variable parts encoded. */
  path: string
  params?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** A successful answer of the API. */
export interface ApiAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows the shape of its answer
  data: any
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows the shape of its answer
  meta: any
  /** Lines for the agent: parameters without effect, notices, and the cost. */
  notes: string[]
}

/** A refusal of the API, in words that tell an agent what to do. */
export class ApiFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The API as tools see it: one key at one service. */
export class Api {
  readonly #send: Send
  readonly #isDemo: boolean

  constructor(send: Send, key: string | undefined) {
    this.#send = send
    this.#isDemo = key === DEMO_KEY
  }

  async get(request: ApiRequest): Promise<ApiAnswer> {
    const reply = await this.#send(`/api/v1${this.pathOf(request)}`)
    const body = parse(reply.text)
    if (reply.status !== 200 || body?.data === undefined) throw failureOf(reply, body)
    return { data: body.data, meta: body.meta, notes: this.#notesOf(reply) }
  }

  pathOf(request: ApiRequest): string {
    return pathOf(request, this.#isDemo)
  }

  #notesOf({ headers }: Reply): string[] {
    const { 'x-notice': notice, 'x-credits-cost': cost, 'x-credits-remaining': left } = headers
    const ignored = headers['x-ignored-parameters']
    return [
      ...(ignored === undefined ? [] : [`Without effect: ${ignored}`]),
      ...(this.#isDemo ? [`The demo key gets at most ${DEMO_LIST_CAP} rows, no further pages and no filters.`] : []),
      ...(notice === undefined ? [] : [`Notice: ${notice}`]),
      ...(cost === undefined ? [] : [`Cost: ${plural(Number(cost), 'credit')}, ${left ?? 'an unknown number'} left.`]),
    ]
  }
}

/** Returns the path of a request below /api/v1, with its query string. */
export function pathOf({ path, params = {} }: ApiRequest, isDemo: boolean): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) query.set(name, String(isDemo ? demoValue(name, value) : value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** The demo key is refused with 400 if it asks for more rows than it may get. */
function demoValue(name: string, value: string | number | boolean): string | number | boolean {
  return name === 'limit' || name === 'maxPoints' ? Math.min(Number(value), DEMO_LIST_CAP) : value
}

interface Body {
  data?: unknown
  meta?: unknown
  error?: { message?: string; details?: FieldError[] }
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Arguments of tools by the parameters of the API that they become. */
const ARGUMENT_OF: Record<string, string> = {
  after: 'cursor',
  assetKey: 'asset',
  closeBefore: 'closesBefore',
  filedAfter: 'from',
  filedBefore: 'to',
  generatedAfter: 'from',
  generatedBefore: 'to',
  maxPoints: 'limit',
  openedAfter: 'from',
  openedBefore: 'to',
  page: 'cursor',
  publishedAfter: 'from',
  publishedBefore: 'to',
  sentimentScoreMax: 'sentimentMax',
  sentimentScoreMin: 'sentimentMin',
  ticker: 'asset',
  topicSlug: 'topic',
}

const ADVICE: Record<number, string> = {
  401: 'Check the API key in the configuration of this server; another call with the same key will fail, too.',
  402: 'Nothing was charged. get_usage is free and shows the balance; more credits can be bought, or come with the next month.',
  403: 'Nothing was charged. Other tools may still work; a larger plan or another key is needed for this one.',
  404: 'Nothing was charged. Ids are in the answers of the search tools.',
}

function failureOf({ status, headers }: Reply, body: Body | undefined): ApiFailure {
  const { message, details } = body?.error ?? {}
  if (message === undefined) {
    return new ApiFailure(status, `The service answered with status ${status} and no message. Is its address right?`)
  }
  const fields = details?.map(({ field, message }) => `${ARGUMENT_OF[field] ?? field} ${message}`)
  const reason = fields === undefined ? message : `Invalid arguments: ${fields.join('; ')}`
  return new ApiFailure(status, `${reason.replace(/\.?$/, '.')} ${adviceFor(status, headers)}`.trim())
}

function adviceFor(status: number, headers: Reply['headers']): string {
  const { 'retry-after': seconds, 'x-request-id': id } = headers
  const wait = seconds === undefined ? 'Try again later.' : `Try again in ${seconds} seconds.`
  if (status === 429) return `${wait} Nothing was charged.`
  if (status >= 500) return `${wait} Nothing was charged. The request id is ${id}.`
  return ADVICE[status] ?? ''
}
