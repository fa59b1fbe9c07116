import { WIDGETS } from '../api/openbb/widgets.ts'
import type { AnyEndpoint } from '../http/endpoint.ts'
import { MAX_CHARS } from '../mcp/text.ts'
import type { AnyTool } from '../mcp/tool.ts'
import { TOOLS } from '../mcp/tools.ts'
import { baseCost } from '../plans/cost.ts'
import { SAMPLE_URL } from './code-samples.ts'
import { figure, markdownPage, markdownTable } from './markdown.ts'

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

/** How agents use the service by the Model Context Protocol, and people by OpenBB Workspace. */
export function agentsGuide(endpoints: readonly AnyEndpoint<never>[]): string {
  return markdownPage(
    'Agents and OpenBB',
    'Programs that work with a language model reach the service by the Model Context Protocol (MCP). It offers eight tools, which only read.',
    '## Connect over HTTP',
    `The address is \`${SAMPLE_URL}/mcp\`, and the key is an API key in the header \`Authorization\`. Most clients are configured by a file of this form; some call the first field \`servers\`:`,
    json({
      mcpServers: { mintick: { type: 'http', url: `${SAMPLE_URL}/mcp`, headers: { Authorization: 'Bearer mtk_…' } } },
    }),
    'The service speaks the revision 2026-07-28 of the protocol and the earlier ones that use streamable HTTP. It keeps no sessions, so that any instance answers any request. A client that runs in a web page needs its origin in `CORS_ORIGINS`; requests of pages of other origins are answered with 403.',
    '## Connect over stdin and stdout',
    'Clients that start a program run `mintick mcp`, which is `npx mintick mcp` in the folder of the project. It calls the service at any address, with the key of the caller. Clients start programs in a folder of their own, so name the Node of the project:',
    json({
      mcpServers: {
        mintick: {
          command: '/path/to/mintick/node_modules/.bin/node',
          args: ['/path/to/mintick/server/bin/mintick.js', 'mcp', '--url', SAMPLE_URL],
          env: { MINTICK_API_KEY: 'mtk_…' },
        },
      },
    }),
    'The flags `--url` and `--key` come before the variables `MINTICK_URL` and `MINTICK_API_KEY`.',
    '## Tools and prices',
    'Each call of a tool is one request to the endpoint behind it: it costs as much, counts towards the same rate limits, and is in the request log under the same route. A prediction market by `get_item` costs 2 credits, any other item 1. Connecting and listing the tools costs nothing. `get_usage` also tells what a call would cost, without making it.',
    markdownTable(
      ['Tool', 'Example', 'Its endpoint', 'Credits'],
      TOOLS.map((tool) => [`\`${tool.name}\``, `\`${JSON.stringify(tool.example)}\``, ...priceOf(tool, endpoints)]),
    ),
    `An answer is a table of ten rows unless \`limit\` says otherwise. It is never longer than ${figure(MAX_CHARS)} characters. Ids such as \`entry:…\` say what they name: \`get_item\` takes any of them. A list that goes on ends with a \`cursor\`. An answer states what it cost and what is left.`,
    '```\nYou:    What is behind the move of Tesla?\nAgent:  get_signals {"asset":"TSLA","limit":3}\n        id | found | asset | kind | direction | strength | …\n        signal:6e02… | 2026-03-02T08:10Z | TSLA | news_volume_spike | neutral | 0.71 | …\nAgent:  get_item {"id":"signal:6e02…"}\n        entryIds: entry:1043…, entry:77ab…\nAgent:  get_item {"id":"entry:1043…"}\n```',
    'An error is told in words that say what to change: which argument is wrong, which plan has the data, how many credits are missing, or after how many seconds to try again. Failed calls cost nothing; a search that finds nothing is an answer, and costs as much as any other.',
    'Headlines and texts come from publishers. They are put into one cell each, without line breaks, but an agent should treat them as data: do not let it act on them without asking you.',
    '## OpenBB Workspace',
    `In OpenBB Workspace, choose "Add data" and enter the address \`${SAMPLE_URL}/openbb\`, with an API key as the header \`X-API-KEY\`. Workspace runs in the browser at \`https://pro.openbb.co\`, and its add-in for Excel at \`https://excel.openbb.co\`; the service allows both for these paths; other addresses of Workspace need \`CORS_ORIGINS\`. A browser that refuses plain http for a page on https needs the service behind https.`,
    'The app "Mintick" shows most widgets on one page. A refresh of a widget costs as much as the request behind it, every 15 minutes unless Workspace is told otherwise:',
    markdownTable(
      ['Widget', 'Description'],
      Object.values(WIDGETS).map(({ name, description }) => [name, description]),
    ),
  )
}

/** Returns the endpoint behind a tool and its price. */
function priceOf(tool: AnyTool, endpoints: readonly AnyEndpoint<never>[]): [string, string] {
  const { path, params } = tool.request(tool.example, { pathOf: (name) => `/${name}` })
  const segments = path.split('/')
  const endpoint = endpoints.find(({ access, method, path: pattern }) => {
    const parts = pattern.split('/')
    const isSame =
      parts.length === segments.length && parts.every((part, at) => part.startsWith(':') || part === segments[at])
    return access === 'key' && method === 'GET' && isSame
  })
  if (endpoint === undefined) throw new Error(`no endpoint is behind ${tool.name}`)
  const { with: dearer } = endpoint.cost
  const price = String(baseCost(endpoint.cost, params ?? {}))
  return [
    `\`GET ${endpoint.path}\``,
    dearer === undefined ? price : `${price}, with \`${dearer.param}\` ${dearer.credits}`,
  ]
}
