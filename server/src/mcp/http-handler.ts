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
  if (countMessages(body) > MAX_BATCH) return refusal(`A batch may have at most ${MAX_BATCH} messages`)
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

function countMessages(body: string): number {
  if (!body.trimStart().startsWith('[')) return 1
  try {
    const messages: unknown = JSON.parse(body)
    return Array.isArray(messages) ? messages.length : 1
  } catch {
    // The protocol has an error for this.
    return 1
  }
}

function refusal(message: string): Reply {
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }),
  }
}
