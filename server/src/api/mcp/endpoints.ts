import Type from 'typebox'
import { endpoint } from '../services.ts'

const MCP_PATH = '/mcp'

/**
 * The Model Context Protocol, for agents. Clients of earlier revisions also ask with GET for a stream and end a session
 * with DELETE, which the protocol's library refuses.
 */
export const mcpEndpoints = (['POST', 'GET', 'DELETE'] as const).map((method) =>
  endpoint({
    method,
    path: MCP_PATH,
    access: 'relay',
    summary: 'Call tools by the Model Context Protocol',
    cost: { credits: 0 },
    returns: 'reply',
    data: Type.Unknown(),
    async handle({ relay }, { mcp }) {
      await relay.authenticate()
      return mcp(relay)
    },
  }),
)
