import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { DEMO_KEY } from '../admission/key.ts'
import { type AnyEndpoint, isInReference, type Returns, routeOf } from '../http/endpoint.ts'
import { ERROR_STATUS } from '../model/errors.ts'
import { HOUR } from '../model/time.ts'
import { effectiveCost, STREAM_COST } from '../plans/cost.ts'
import type { CreditPack } from '../plans/packs.ts'
import { DEMO_PLAN, DEMO_POOL_CREDITS, FEATURES, type Feature, type Plan } from '../plans/plans.ts'
import { ERROR_CODES, ERROR_CONDITIONS, type JsonSchema, type Parameter, parametersOf } from './openapi.ts'

/** The pages of docs/reference, written from the tables that the service itself runs on. */

export function endpointsPage(endpoints: readonly AnyEndpoint<never>[], plans: readonly Plan[]): string {
  const listed = endpoints.filter(isInReference)
  const rows = listed.map((endpoint) => [
    endpoint.method,
    `[\`${routeOf(endpoint)}\`](#${anchorOf(titleOf(endpoint))})`,
    creditsOf(endpoint),
    needsOf(endpoint),
    endpoint.summary,
  ])
  return page(
    'Endpoints',
    'Send your API key with every call: `Authorization: Bearer <API_KEY>`. Credits are the base cost, before the multiplier of your [plan](plans.md). The fields of every answer are described in `openapi.json` at the root of the repository. A parameter that an endpoint does not have is ignored; a value that a parameter cannot take is answered with 400.',
    table(['Method', 'Path', 'Credits', 'Needs', 'What it does'], rows),
    `In the tables below, the column "Demo key" says what happens to a parameter that is sent with the shared demo key: *ignored* parameters have no effect, *refused* ones are answered with 400.`,
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
          table(
            ['Parameter', 'Type', 'Default', ...(forDemo ? ['Demo key'] : []), 'Meaning'],
            parameters.map((parameter) => parameterRow(parameter, forDemo)),
          ),
        ]),
    ...(body === undefined ? [] : [table(['Body field', 'Type', 'Required', 'Meaning'], fieldRows(body))]),
  ]
}

const RETURNS: Record<Returns, string> = {
  object: '',
  list: 'Returns a list.',
  'cursor-list': 'Returns a list that is paged by cursor.',
  'offset-list': 'Returns a list that is paged by offset.',
  'page-list': 'Returns a list that is paged by number.',
  html: '',
  'event-stream': 'Goes on until one side ends it.',
  websocket: 'Goes on until one side ends it.',
}

const titleOf = (endpoint: AnyEndpoint<never>) => `${endpoint.method} ${routeOf(endpoint)}`

/** As code hosts derive it from a heading: punctuation goes, spaces become hyphens. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function creditsOf(endpoint: AnyEndpoint<never>): string {
  const { credits, with: dearer, perMinute } = endpoint.cost
  if (perMinute !== undefined) return `${credits} to connect, then ${perMinute} a minute`
  const isShown = parametersOf(endpoint).some(({ name }) => name === dearer?.param)
  return dearer !== undefined && isShown ? `${credits}; ${dearer.credits} with \`${dearer.param}\`` : `${credits}`
}

function needsOf({ access, needs, refusesDemo }: AnyEndpoint<never>): string {
  if (access === 'open') return 'no key'
  if (access === 'operator') return "the operator's token"
  return [needs && FEATURES[needs].name, refusesDemo && 'a key of your own'].filter(Boolean).join(', ') || 'any key'
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
  return maximum === undefined ? 'works' : `at most ${maximum}, more is refused`
}

/** Fields of a nested object follow it, with its name before theirs. */
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
  return page(
    'Plans and credits',
    'The plan of an account decides what it may call and how often; credits pay for each call. Neither stands in for the other.',
    table(
      ['', ...names],
      [
        ['Slug', ...plans.map(({ slug }) => `\`${slug}\``)],
        ...PLAN_ROWS.map(([field, label]) => [label, ...plans.map((plan) => planValue(plan[field]))]),
      ],
    ),
    '## What a call costs',
    `A call costs its base credits times the multiplier of the plan, rounded up to whole credits. It is charged when it succeeds; a call that fails costs nothing. The base credits of each endpoint are in the [list of endpoints](endpoints.md).`,
    table(
      ['Base credits', ...names],
      charged.map((base) => [figure(base), ...plans.map((plan) => costUnder(plan, base))]),
    ),
    '## What a stream costs',
    `A stream of signals is free to open; each minute that it is open costs credits, and the time of all streams of an account is added up.`,
    table(
      ['', ...names],
      [
        ['Credits per minute', ...plans.map((plan) => streamValue(plan, costUnder(plan, STREAM_COST.perMinute)))],
        ['Minutes that the monthly credits pay for', ...plans.map((plan) => streamValue(plan, minutesOf(plan)))],
      ],
    ),
    '## Credit packs',
    'The price list of credit packs, the same on every plan. Their credits are added to the balance and do not expire; monthly credits are used first.',
    table(
      ['Pack', 'Credits', 'Price, USD', 'Discount'],
      packs.map(({ id, credits, priceUsdCents, discountPercent }) => [
        `\`${id}\``,
        figure(credits),
        (priceUsdCents / 100).toFixed(2),
        discountPercent === 0 ? 'none' : `${discountPercent}%`,
      ]),
    ),
    '## The demo key',
    `Anyone may try the service with the shared key \`${DEMO_KEY}\`. All its callers together have ${figure(DEMO_POOL_CREDITS)} credits, refilled at the start of every hour, and ${figure(DEMO_PLAN.requestsPerMinute)} requests per minute. It reads what any plan reads, gets at most ${DEMO_LIST_CAP} items of a list, cannot page, and cannot manage keys.`,
  )
}

/** A record first, so that a new field of a plan cannot be forgotten here. */
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
  return page(
    'Settings',
    'Mintick is set up by environment variables. It starts without any of them.',
    table(
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
    table(
      ['Threshold', 'Default', 'From', 'To', 'Meaning'],
      Object.entries(thresholds[group] ?? {}).map(([name, { default: preset, minimum, maximum, meaning }]) => [
        `\`${group}.${name}\``,
        ...[preset, minimum, maximum].map((value) => value.toLocaleString('en-US', { maximumFractionDigits: 4 })),
        meaning,
      ]),
    )
  return page(
    'Signals',
    'Signals are computed from what the service holds: every one names the entries, filings or markets that it rests on. Numbers that decide are thresholds, listed here with their defaults; all "least" ones are included. An entry or a filing that comes too late makes no signal, but what comes later is compared with it.',
    `While a signal is active, the same finding is no second one: it is updated, with its id, \`generatedAt\` and \`expiresAt\` unchanged, when it has grown much stronger or rests on much more, and otherwise nothing is told. A finding of another direction, or one that rests on other filings, takes its place. It expires when its horizon has passed: ${spans.join(', ')}. Then its outcome is scored, as told below.`,
    '`strength` and `confidence` are shares, 0 to 1. Where a kind says "x (half at h)", it is x / (x + h): nothing gives 0, h gives one half, and more comes ever nearer to 1.',
    '## Thresholds',
    ...THRESHOLDS_TEXT,
    ...Object.entries(kinds).flatMap(
      ([kind, { says, rule, direction, metrics, strength, confidence, horizon, series }]) => [
        `## ${kind}`,
        `${says} Horizon \`${horizon}\`; one is active for each ${series}.`,
        `Rule: ${rule}`,
        `Direction: ${direction}`,
        `Metrics (value, baseline, z-score): ${metrics}`,
        `Strength: ${strength}`,
        `Confidence: ${confidence}`,
        thresholdTable(kind),
      ],
    ),
    '## Items of Form 8-K',
    'What a `material_event` goes by.',
    table(
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
  'Set `SIGNAL_THRESHOLDS` to a JSON file with those that are to differ. The tables below write a threshold as `group.name`; in the file names are nested in their group:',
  '```json\n{ "news_volume_spike": { "leastEntries": 3 }, "every_kind": { "leastScored": 5 } }\n```',
  'The file is read at the start and applies to what is found from then on; signals that are there stay as they are. Those that the sample data comes with were found with the defaults.',
]

const OUTCOMES_TEXT =
  'The price when the signal was found (`referencePrice`) is compared with the last one known when it expired. A bullish signal was right when the price rose, a bearish one when it fell, a neutral one when it moved no further than the percentage below; a price that did not move makes bullish and bearish wrong. A signal that gave way to another is judged too, at the end of its own horizon. `outcome` stays null when no price was known when it was found, or when nothing was traded between then and its end.'

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
  return page(
    'Errors',
    'Every error has the same form. Let programs decide by `error.code`, which is stable; `error.message` is for people and may change. `error.details` is there only when fields failed validation.',
    `\`\`\`json\n${JSON.stringify(ERROR_EXAMPLE, null, 2)}\n\`\`\``,
    table(
      ['Status', 'Code', 'When'],
      ERROR_CODES.map((code) => [`${ERROR_STATUS[code]}`, `\`${code}\``, ERROR_CONDITIONS[code]]),
    ),
    'The header `X-Request-Id` of every answer names the request; give it when you report a problem.',
  )
}

const figure = (value: number) => value.toLocaleString('en-US')

export function page(title: string, ...blocks: string[]): string {
  const notice = '<!-- Generated by `npm run generate`: change the source it is made from, not this file. -->'
  return `${[notice, `# ${title}`, ...blocks].join('\n\n')}\n`
}

export function table(head: string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}
