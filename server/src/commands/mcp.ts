import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { OperatorError, readClientSettings } from '../config.ts'
import { Api, ApiFailure, type Send } from '../mcp/api.ts'
import { createServer } from '../mcp/server.ts'

const TIMEOUT_MS = 30_000

/** `mintick mcp`: a server of the Model Context Protocol over stdin and stdout, for the service at any address. */
export async function mcpCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { url: { type: 'string' }, key: { type: 'string' } } })
  const settings = readClientSettings()
  const { url = settings.url, key = settings.apiKey } = values
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new OperatorError(`--url or MINTICK_URL must be the address of a service, such as https://mintick.example`)
  }
  if (key === undefined) throw new OperatorError('this command needs an API key: --key or MINTICK_API_KEY')
  const api = new Api(sender(url, key), key)
  // Clients show stderr; stdout belongs to the protocol.
  const report = (error: unknown) => console.error(`mintick: ${error instanceof Error ? error.message : error}`)
  serveStdio(() => createServer(api, report), { maxSubscriptions: 0, onerror: report })
}

/** Sends requests to the service at a URL. A redirect could lead to another host, which must not see the key. */
function sender(url: string, key: string): Send {
  const base = url.replace(/\/*$/, '')
  return async (path) => {
    try {
      const response = await fetch(base + path, {
        headers: { accept: 'application/json', authorization: `Bearer ${key}` },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        throw new ApiFailure(0, `The service at ${base} did not answer within ${TIMEOUT_MS / 1_000} seconds.`)
      }
      throw new ApiFailure(0, `The service at ${base} cannot be reached: is it running, and is the address right?`)
    }
  }
}
