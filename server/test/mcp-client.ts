/** The official client of the Model Context Protocol, at a service of a test. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Revisions of the protocol: the current one, and the last one that begins with a handshake. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof REVISIONS)[number]

export function createClient(revision: Revision): Client {
  return new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  )
}

/** Connects to /mcp of the service at `url`. */
export async function connectMcp(
  url: string,
  key: string | undefined,
  revision: Revision = '2026-07-28',
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = createClient(revision)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { ...authorization, ...headers } },
  })
  await client.connect(transport)
  return client
}

/** Calls a tool and returns its text, and whether it is an error. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [part] = content
  if (part?.type !== 'text' || content.length !== 1) throw new Error('the answer is not one text')
  return { text: part.text, isError }
}
