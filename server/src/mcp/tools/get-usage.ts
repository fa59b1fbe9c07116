import Type, { type Static } from 'typebox'
import type { CostView, UsageView } from '../../api/account/schema.ts'
import { listText, minute, plural } from '../text.ts'
import { defineTool, text } from '../tool.ts'

export const getUsage = defineTool({
  name: 'get_usage',
  title: 'Get usage and costs',
  description:
    'Credits that are left, usage of the month by endpoint, and rate limits of the API key. With tool, and its arguments: what that call would cost, and whether it would pass now, without running it. Free.',
  input: Type.Object(
    {
      tool: text('Name of a tool whose cost to preview, such as search_filings'),
      arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Arguments of that call' })),
    },
    { additionalProperties: false },
  ),
  example: { tool: 'search_news', arguments: { query: 'layoffs' } },
  request({ tool, arguments: given = {} }, toolset) {
    if (tool === undefined) return { path: '/account/usage' }
    // A preview of previews would be free at any depth, and its path ever longer.
    const args = tool === 'get_usage' ? {} : given
    return { path: '/account/cost', params: { path: toolset.pathOf(tool, args) } }
  },
  render({ data, notes }, { tool }) {
    return tool === undefined ? usageText(data, notes) : costText(tool, data, notes)
  },
})

function usageText(usage: Static<typeof UsageView>, notes: readonly string[]): string {
  const { balance, period, credits, requests, limits, byEndpoint } = usage
  return listText({
    title: `${plural(balance, 'credit')} left. From ${minute(period.start)} to ${minute(period.end)}: ${plural(credits.used, 'credit')} used by ${plural(requests.total, 'request')}, of which ${requests.failed} failed; ${requests.rateLimited} more were refused by rate limits.`,
    columns: [
      { name: 'endpoint', value: ({ endpoint }) => endpoint },
      { name: 'requests', value: ({ requests }) => requests },
      { name: 'failed', value: ({ failed }) => failed },
      { name: 'credits', value: ({ credits }) => credits },
    ],
    rows: byEndpoint.toSorted((a, b) => b.credits - a.credits || (a.endpoint < b.endpoint ? -1 : 1)),
    foot: () => [...limits.map(limitText), ...notes],
  })
}

function costText(tool: string, cost: Static<typeof CostView>, notes: readonly string[]): string {
  const { credits, wouldPass, available, error, limits, endpoint } = cost
  const price = credits === null ? 'has no price' : `would cost ${plural(credits, 'credit')}`
  return listText<never>({
    title: `${tool} ${price} (${endpoint}); ${available} are available. It would ${wouldPass ? 'pass now' : `be refused: ${error?.message}`}.`,
    columns: [],
    rows: [],
    foot: () => [...limits.map(limitText), ...notes],
  })
}

const limitText = ({ window, limit, remaining, resetAt }: Static<typeof UsageView>['limits'][number]) =>
  `Rate limit ${window}: ${remaining} of ${limit} requests left, all of them again at ${resetAt}`
