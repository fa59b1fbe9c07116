import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Relay, Reply } from '../http/relay.ts'
import { Api } from './api.ts'
import { createServer } from './server.ts'

/** Messages in a batch, which revisions before 2025-06-18 allow. Each tool call in it is a request to the API. */
const MAX_BATCH = 10

/**
 * Serves the Model Context Protocol over HTTP, without sessions: revision 2026-07-28 and those before it. Every request
 * has a server of its own, and is answered as a whole.
 */
export async function serveMcp(relay: Relay, onError: (error: unknown) => void): Promise<Reply> {
  const { method, body, headers, key } = relay
  const problem = batchProblem(body)
  if (problem !== undefined) return refusal(problem)
  const api = new Api((path) => relay.call(path), key)
  // Nothing that this server offers changes while it runs, so that there is nothing to subscribe to.
  const { fetch } = createMcpHandler(() => createServer(api, onError), { maxSubscriptions: 0 })
  const response = await fetch(new Request(ADDRESS, { method, headers, ...(method === 'POST' && { body }) }))
  const kept = [...response.headers].filter(([name]) => KEPT_HEADERS.includes(name))
  return { status: response.status, headers: Object.fromEntries(kept), text: await response.text() }
}

/** Requests need an address; nothing reads this one. */
const ADDRESS = 'http://mintick.invalid/mcp'
const KEPT_HEADERS = ['allow', 'cache-control', 'content-type']

/** Returns why a batch is refused; undefined if it is not, or if the body is no batch. */
function batchProblem(body: string): string | undefined {
  if (!body.trimStart().startsWith('[')) return undefined
  let messages: { id?: unknown; method?: unknown }[]
  try {
    messages = JSON.parse(body)
  } catch {
    // The protocol has an error for this.
    return undefined
  }
  if (messages.length > MAX_BATCH) return `A batch may have at most ${MAX_BATCH} messages`
  const ids = messages.flatMap((message) => (message?.id === undefined ? [] : [message.id]))
  if (new Set(ids).size < ids.length) return 'The ids of the messages in a batch must differ'
  // A cancelled request is never answered, so the batch would wait for it.
  const isCancelled = messages.some((message) => message?.method === 'notifications/cancelled')
  return isCancelled ? 'A batch cannot cancel a request: all of it is answered at once' : undefined
}

function refusal(message: string): Reply {
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }),
  }
}
