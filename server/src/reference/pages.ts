import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { DEMO_KEY } from '../admission/key.ts'
import { type AnyEndpoint, isInReference, type Returns, routeOf } from '../http/endpoint.ts'
import { ERROR_STATUS } from '../model/errors.ts'
import { HOUR } from '../model/time.ts'
import { effectiveCost, STREAM_COST } from '../plans/cost.ts'
import type { CreditPack } from '../plans/packs.ts'
import { DEMO_PLAN, DEMO_POOL_CREDITS, FEATURES, type Feature, type Plan } from '../plans/plans.ts'
import { ERROR_CODES, ERROR_CONDITIONS, type JsonSchema, type Parameter, parametersOf } from './openapi.ts'

/** The pages of docs/reference, generated from the tables that the service itself uses. */

export function endpointsPage(endpoints: readonly AnyEndpoint<never>[], plans: readonly Plan[]): string {
  const listed = endpoints.filter(isInReference)
  const rows = listed.map((endpoint) => [
    endpoint.method,
    `[\`${routeOf(endpoint)}\`](#${anchorOf(titleOf(endpoint))})`,
    creditsOf(endpoint),
    needsOf(endpoint),
    endpoint.summary,
  ])
  return markdownPage(
    'Endpoints',
    'Send your API key with every request: `Authorization: Bearer <API_KEY>`. Credits are the base cost, before the multiplier of your [plan](plans.md). `openapi.json` in the root of the repository describes the fields of every response. Unknown parameters are ignored; invalid values are answered with 400.',
    markdownTable(['Method', 'Path', 'Credits', 'Needs', 'Description'], rows),
    'In the tables below, the column "Demo key" describes parameters sent with the shared demo key: *ignored* parameters have no effect, *refused* parameters are answered with 400.',
    ...listed.flatMap((endpoint) => endpointSection(endpoint, plans)),
  )
}

function endpointSection(endpoint: AnyEndpoint<never>, plans: readonly Plan[]): string[] {
  const { summary, description, access, needs, refusesDemo, returns, body } = endpoint
  const parameters = parametersOf(endpoint)
  const isOpenToDemo = needs === undefined || FEATURES[needs].allows(DEMO_PLAN)
  const forDemo = access === 'key' && !refusesDemo && isOpenToDemo
  return [
    `## ${titleOf(endpoint)}`,
    [`${summary}.`, description, needs && plansWith(needs, plans), RETURNS[returns]].filter(Boolean).join(' '),
    ...(parameters.length === 0
      ? []
      : [
          markdownTable(
            ['Parameter', 'Type', 'Default', ...(forDemo ? ['Demo key'] : []), 'Meaning'],
            parameters.map((parameter) => parameterRow(parameter, forDemo)),
          ),
        ]),
    ...(body === undefined ? [] : [markdownTable(['Body field', 'Type', 'Required', 'Meaning'], fieldRows(body))]),
  ]
}

const RETURNS: Record<Returns, string> = {
  object: '',
  list: 'Returns a list.',
  series: 'Returns a list in the order of time.',
  'cursor-list': 'Returns a list paged by cursor.',
  'offset-list': 'Returns a list paged by offset.',
  'page-list': 'Returns a list paged by page number.',
  html: '',
  'event-stream': 'Stays open until one side closes it.',
  websocket: 'Stays open until one side closes it.',
}

const titleOf = (endpoint: AnyEndpoint<never>) => `${endpoint.method} ${routeOf(endpoint)}`

/** Returns the anchor that code hosts derive from a heading: without punctuation, with hyphens for spaces. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function creditsOf(endpoint: AnyEndpoint<never>): string {
  const { credits, with: costWith, perMinute } = endpoint.cost
  if (perMinute !== undefined) return `${credits} to connect, then ${perMinute} per minute`
  const isShown = parametersOf(endpoint).some(({ name }) => name === costWith?.param)
  return costWith !== undefined && isShown ? `${credits}; ${costWith.credits} with \`${costWith.param}\`` : `${credits}`
}

function needsOf({ access, needs, refusesDemo }: AnyEndpoint<never>): string {
  if (access === 'open') return 'no key'
  if (access === 'operator') return "the operator's token"
  return [needs && FEATURES[needs].name, refusesDemo && 'your own key'].filter(Boolean).join(', ') || 'any key'
}

function plansWith(feature: Feature, plans: readonly Plan[]): string {
  const names = plans.filter((plan) => FEATURES[feature].allows(plan)).map(({ name }) => name)
  return `Needs ${FEATURES[feature].name} (${names.join(', ')}).`
}

function parameterRow(parameter: Parameter, forDemo: boolean): string[] {
  const { name, required, description = '', schema } = parameter
  const preset = schema.default === undefined ? '' : `\`${schema.default}\``
  const place = parameter.in === 'path' ? 'In the path' : ''
  return [
    `\`${name}\``,
    typeOf(schema),
    required ? 'required' : preset,
    ...(forDemo ? [withDemoKey(parameter)] : []),
    description || place,
  ]
}

function withDemoKey(parameter: Parameter): string {
  if (parameter['x-own-key']) return 'ignored'
  if (parameter['x-paging']) return 'refused'
  const maximum = parameter['x-demo-maximum']
  return maximum === undefined ? 'works' : `at most ${maximum}, higher values are refused`
}

/** Returns a row per field; fields of nested objects follow with a dotted name. */
function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    [`\`${prefix}${name}\``, typeOf(schema), required.includes(name) ? 'yes' : 'no', meaningOf(schema)],
    ...fieldRows(schema, `${prefix}${name}.`),
  ])
}

const meaningOf = ({ description, anyOf = [] }: JsonSchema) =>
  description ?? anyOf.find((schema) => schema.description !== undefined)?.description ?? ''

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  switch (schema.type) {
    case 'array': {
      const most = schema.maxItems === undefined ? '' : `, up to ${schema.maxItems}`
      const { maxLength: _maxLength, ...item } = schema.items ?? {}
      return `list of ${typeOf(item)}${most}`
    }
    case 'integer':
    case 'number':
      return [schema.type, rangeOf(schema)].filter(Boolean).join(' ')
    case 'boolean':
      return '`true`, `false`'
    case undefined:
      if (schema.format === undefined && schema.maxLength === undefined) return 'JSON'
      return FORMATS[schema.format ?? ''] ?? textOf(schema)
    case 'string':
      return schema.format === undefined ? textOf(schema) : (FORMATS[schema.format] ?? schema.format)
    default:
      return schema.type
  }
}

const FORMATS: Record<string, string> = { uuid: 'UUID', 'date-time': 'ISO 8601 time', date: 'ISO 8601 day' }

const textOf = ({ maxLength }: JsonSchema) =>
  maxLength === undefined ? 'text' : `text of up to ${figure(maxLength)} characters`

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return maximum === undefined ? '' : `up to ${figure(maximum)}`
  return maximum === undefined ? `from ${figure(minimum)}` : `${figure(minimum)} to ${figure(maximum)}`
}

export function plansPage(
  plans: readonly Plan[],
  packs: readonly CreditPack[],
  endpoints: readonly AnyEndpoint<never>[],
): string {
  const costs = endpoints.flatMap(({ cost }) => [cost.credits, cost.with?.credits ?? 0, cost.perMinute ?? 0])
  const charged = [...new Set(costs)].filter((credits) => credits > 0).sort((a, b) => a - b)
  const names = plans.map(({ name }) => name)
  return markdownPage(
    'Plans and credits',
    'The plan of an account determines which endpoints it may use and how often; credits pay for each request. A request needs both.',
    markdownTable(
      ['', ...names],
      [
        ['Slug', ...plans.map(({ slug }) => `\`${slug}\``)],
        ...PLAN_ROWS.map(([field, label]) => [label, ...plans.map((plan) => planValue(plan[field]))]),
      ],
    ),
    '## Cost of a request',
    'A request costs its base credits times the multiplier of the plan, rounded up to whole credits. Only successful requests are charged. The [list of endpoints](endpoints.md) has the base credits of each endpoint.',
    markdownTable(
      ['Base credits', ...names],
      charged.map((base) => [figure(base), ...plans.map((plan) => costUnder(plan, base))]),
    ),
    '## Cost of a stream',
    'Opening a stream of signals is free; each minute costs credits. The time of all streams of an account is summed.',
    markdownTable(
      ['', ...names],
      [
        ['Credits per minute', ...plans.map((plan) => streamValue(plan, costUnder(plan, STREAM_COST.perMinute)))],
        ['Minutes per month covered by monthly credits', ...plans.map((plan) => streamValue(plan, minutesOf(plan)))],
      ],
    ),
    '## Credit packs',
    'Prices are the same on every plan. The credits of a pack are added to the balance and do not expire; monthly credits are used first.',
    markdownTable(
      ['Pack', 'Credits', 'Price, USD', 'Discount'],
      packs.map(({ id, credits, priceUsdCents, discountPercent }) => [
        `\`${id}\``,
        figure(credits),
        (priceUsdCents / 100).toFixed(2),
        discountPercent === 0 ? 'none' : `${discountPercent}%`,
      ]),
    ),
    '## The demo key',
    `Anyone can try the service with the shared key \`${DEMO_KEY}\`. All its users together have ${figure(DEMO_POOL_CREDITS)} credits, refilled at the start of every hour, and ${figure(DEMO_PLAN.requestsPerMinute)} requests per minute. It can read all data that plans include, but gets at most ${DEMO_LIST_CAP} items per list, cannot page, and cannot manage keys.`,
  )
}

/** A record, so that the compiler requires a label for every field of a plan. */
const PLAN_LABELS: Record<Exclude<keyof Plan, 'slug' | 'name'>, string> = {
  priceUsd: 'Price per month, USD',
  requestsPerMinute: 'Requests per minute',
  requestsPerHour: 'Requests per hour',
  requestsPerDay: 'Requests per day',
  burst: 'Burst allowance',
  signupCredits: 'Signup credits',
  monthlyCredits: 'Monthly credits',
  creditMultiplier: 'Credit multiplier',
  secData: 'SEC filing data',
  realtimeConnections: 'Real-time connections',
  bulkExport: 'Bulk export',
  prioritySupport: 'Priority support',
  customKeyExpiration: 'Custom key expiration',
  maxApiKeys: 'Active API keys',
}
const PLAN_ROWS = Object.entries(PLAN_LABELS) as [keyof typeof PLAN_LABELS, string][]

function planValue(value: number | boolean | null): string {
  if (value === null) return 'as agreed'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return figure(value)
}

const costUnder = (plan: Plan, base: number) =>
  plan.creditMultiplier === null ? planValue(null) : figure(effectiveCost(base, plan))

const streamValue = (plan: Plan, value: string) => (FEATURES.realtime.allows(plan) ? value : 'none')

const minutesOf = (plan: Plan) =>
  plan.monthlyCredits === null || plan.creditMultiplier === null
    ? planValue(null)
    : figure(Math.floor(plan.monthlyCredits / effectiveCost(STREAM_COST.perMinute, plan)))

export function settingsPage(settings: Record<string, { fallback: string; meaning: string }>): string {
  return markdownPage(
    'Settings',
    'Environment variables configure Mintick. All of them are optional.',
    markdownTable(
      ['Name', 'Default', 'Meaning'],
      Object.entries(settings).map(([name, { fallback, meaning }]) => [
        `\`${name}\``,
        fallback === '' ? 'unset' : `\`${fallback}\``,
        meaning,
      ]),
    ),
  )
}

interface SignalTables {
  kinds: Record<
    string,
    Record<'says' | 'rule' | 'direction' | 'metrics' | 'strength' | 'confidence' | 'horizon' | 'series', string>
  >
  thresholds: Record<string, Record<string, { default: number; minimum: number; maximum: number; meaning: string }>>
  horizonSpans: Record<string, number>
  eventItems: Record<string, { what: string; weight: number; direction: string }>
}

export function signalsPage({ kinds, thresholds, horizonSpans, eventItems }: SignalTables): string {
  const spans = Object.entries(horizonSpans).map(([horizon, ms]) => `\`${horizon}\` ${ms / HOUR} hours`)
  const thresholdTable = (group: string) =>
    markdownTable(
      ['Threshold', 'Default', 'From', 'To', 'Meaning'],
      Object.entries(thresholds[group] ?? {}).map(([name, { default: preset, minimum, maximum, meaning }]) => [
        `\`${group}.${name}\``,
        ...[preset, minimum, maximum].map((value) => value.toLocaleString('en-US', { maximumFractionDigits: 4 })),
        meaning,
      ]),
    )
  return markdownPage(
    'Signals',
    'Signals are computed from the data of the service. Each signal names its evidence: entries, filings or markets. The thresholds are listed here with their defaults; a "least" threshold is inclusive. An entry or filing that arrives too late causes no signal, but counts in the baseline of later ones.',
    `While a signal is active, the same finding creates no second signal. If it becomes much stronger or gets much more evidence, the signal is updated and keeps its id, \`generatedAt\` and \`expiresAt\`; otherwise nothing happens. A finding with another direction, or based on other filings, replaces the signal. A signal expires at the end of its horizon: ${spans.join(', ')}. Then its outcome is evaluated, as described below.`,
    '`strength` and `confidence` are numbers from 0 to 1. "x (half at h)" means x / (x + h): 0 for x = 0, one half for x = h, and close to 1 for large x.',
    '## Thresholds',
    ...THRESHOLDS_TEXT,
    ...Object.entries(kinds).flatMap(
      ([kind, { says, rule, direction, metrics, strength, confidence, horizon, series }]) => [
        `## ${kind}`,
        `${says} Horizon \`${horizon}\`; at most one is active per ${series}.`,
        `Rule: ${rule}`,
        `Direction: ${direction}`,
        `Metrics (value, baseline, z-score): ${metrics}`,
        `Strength: ${strength}`,
        `Confidence: ${confidence}`,
        thresholdTable(kind),
      ],
    ),
    '## Items of Form 8-K',
    'The items that determine a `material_event`.',
    markdownTable(
      ['Item', 'The company reports', 'Weight', 'Direction'],
      Object.entries(eventItems)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([code, { what, weight, direction }]) => [code, what, `${weight}`, direction]),
    ),
    '## All kinds',
    thresholdTable('every_kind'),
    '## Outcomes',
    OUTCOMES_TEXT,
    thresholdTable('outcome'),
  )
}

const THRESHOLDS_TEXT = [
  'To override thresholds, set `SIGNAL_THRESHOLDS` to a JSON file. The tables below name a threshold `group.name`; in the file, names are nested in their group:',
  '```json\n{ "news_volume_spike": { "leastEntries": 3 }, "every_kind": { "leastScored": 5 } }\n```',
  'The file is read at startup and applies to new findings; existing signals do not change. The signals of the sample data use the defaults.',
]

const OUTCOMES_TEXT =
  'The price when the signal was generated (`referencePrice`) is compared with the last known price when it expired. A bullish signal is a hit if the price rose, a bearish signal if it fell, a neutral signal if it moved by at most the percentage below; with an unchanged price, bullish and bearish signals are misses. A superseded signal is also evaluated at the end of its own horizon. `outcome` stays null if no price was known when the signal was generated, or if nothing was traded until it expired.'

const ERROR_EXAMPLE = {
  success: false,
  error: {
    message: 'Invalid request: limit must be a whole number from 1 to 100',
    code: 'BAD_REQUEST',
    details: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }],
  },
  statusCode: 400,
  timestamp: '2026-01-31T09:30:00.000Z',
}

export function errorsPage(): string {
  return markdownPage(
    'Errors',
    'All errors have the same format. Programs should use `error.code`, which is stable; `error.message` is for people and may change. `error.details` is present only if fields failed validation.',
    `\`\`\`json\n${JSON.stringify(ERROR_EXAMPLE, null, 2)}\n\`\`\``,
    markdownTable(
      ['Status', 'Code', 'When'],
      ERROR_CODES.map((code) => [`${ERROR_STATUS[code]}`, `\`${code}\``, ERROR_CONDITIONS[code]]),
    ),
    'Every response has the header `X-Request-Id`; include it when you report a problem.',
  )
}

const figure = (value: number) => value.toLocaleString('en-US')

export function markdownPage(title: string, ...blocks: string[]): string {
  const notice = '<!-- Generated by `npm run generate`. Do not edit; change its source. -->'
  return `${[notice, `# ${title}`, ...blocks].join('\n\n')}\n`
}

export function markdownTable(head: string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}
