import { type AnyEndpoint, isInReference, type Returns, routeOf } from '../http/endpoint.ts'
import { FIELDS_MEANING } from '../http/fields.ts'
import { MAX_LIMIT } from '../http/params.ts'
import { ERROR_STATUS } from '../model/errors.ts'
import { HOUR } from '../model/time.ts'
import { DEMO_PLAN, FEATURES, type Feature, type Plan } from '../plans/plans.ts'
import { fieldsLink, fieldsOf, meaningOf, typeOf } from './fields-page.ts'
import { markdownPage, markdownTable } from './markdown.ts'
import { IDEMPOTENCY_TEXT, type JsonSchema, type Parameter, parametersOf } from './openapi.ts'
import { ERROR_CODES, ERROR_CONDITIONS } from './openapi-components.ts'
import { nameSchemas } from './openapi-names.ts'

/** The pages of docs/reference, generated from the tables that the service itself uses. */

export function endpointsPage(endpoints: readonly AnyEndpoint<never>[], plans: readonly Plan[]): string {
  const listed = endpoints.filter(isInReference)
  const names = nameSchemas(listed)
  const rows = listed.map((endpoint) => [
    endpoint.method,
    `[\`${routeOf(endpoint)}\`](#${anchorOf(titleOf(endpoint))})`,
    creditsOf(endpoint),
    needsOf(endpoint),
    endpoint.summary,
  ])
  return markdownPage(
    'Endpoints',
    'Send your API key with every request: `Authorization: Bearer <API_KEY>`. Credits are the base cost, before the multiplier of your [plan](plans.md). [Fields](fields.md) describes the fields of every response, and `openapi.json` in the root of the repository has all of this for programs. Unknown parameters are ignored; invalid values are answered with 400.',
    `POST requests accept the header \`Idempotency-Key\`, 1 to 255 characters. ${IDEMPOTENCY_TEXT}`,
    markdownTable(['Method', 'Path', 'Credits', 'Needs', 'Description'], rows),
    `Every list and object that an API key may read also has the parameter \`fields\`: ${FIELDS_MEANING}`,
    'In the tables below, the column "Demo key" describes parameters sent with the shared demo key: *ignored* parameters have no effect, *refused* parameters are answered with 400.',
    ...listed.flatMap((endpoint) => endpointSection(endpoint, names.get(endpoint.data) ?? '', plans)),
  )
}

function endpointSection(endpoint: AnyEndpoint<never>, returned: string, plans: readonly Plan[]): string[] {
  const { summary, description, access, needs, refusesDemo, returns, body } = endpoint
  const parameters = parametersOf(endpoint).filter(({ name }) => name !== 'fields')
  const isOpenToDemo = needs === undefined || FEATURES[needs].allows(DEMO_PLAN)
  const forDemo = access === 'key' && !refusesDemo && isOpenToDemo
  return [
    `## ${titleOf(endpoint)}`,
    [`${summary}.`, description, needs && plansWith(needs, plans), returned && RETURNS[returns](fieldsLink(returned))]
      .filter(Boolean)
      .join(' '),
    ...(parameters.length === 0
      ? []
      : [
          markdownTable(
            ['Parameter', 'Type', 'Default', ...(forDemo ? ['Demo key'] : []), 'Meaning'],
            parameters.map((parameter) => parameterRow(parameter, forDemo)),
          ),
        ]),
    ...(body === undefined ? [] : [markdownTable(['Body field', 'Type', 'Required', 'Meaning'], bodyRows(body))]),
  ]
}

const staysOpen = (event: string) => `Sends ${event} and stays open until one side closes it.`

const RETURNS: Record<Returns, (link: string) => string> = {
  object: (link) => `Returns ${link}.`,
  list: (link) => `Returns a list of ${link}.`,
  series: (link) => `Returns a list of ${link} in the order of time.`,
  'cursor-list': (link) => `Returns a list of ${link}, paged by cursor.`,
  'offset-list': (link) => `Returns a list of ${link}, paged by offset.`,
  'page-list': (link) => `Returns a list of ${link}, paged by page number.`,
  html: () => '',
  text: () => '',
  download: (link) => `Returns a file with a row for each of ${link}.`,
  reply: () => '',
  'event-stream': staysOpen,
  websocket: staysOpen,
}

const titleOf = (endpoint: AnyEndpoint<never>) => `${endpoint.method} ${routeOf(endpoint)}`

/** Returns the anchor that code hosts derive from a heading: without punctuation, with hyphens for spaces. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function creditsOf(endpoint: AnyEndpoint<never>): string {
  const { credits, with: costWith, perMinute, perRows, perFile } = endpoint.cost
  if (perFile) return 'the price of the file, once'
  if (perRows !== undefined) return `${credits} per ${perRows} rows`
  if (perMinute !== undefined) return `${credits} to connect, then ${perMinute} per minute`
  const isShown = parametersOf(endpoint).some(({ name }) => name === costWith?.param)
  return costWith !== undefined && isShown ? `${credits}; ${costWith.credits} with \`${costWith.param}\`` : `${credits}`
}

function needsOf({ access, needs, operatorScope, refusesDemo }: AnyEndpoint<never>): string {
  if (access === 'open') return 'no key'
  if (access === 'operator') return `an operator's token: ${operatorScope}`
  return [needs && FEATURES[needs].name, refusesDemo && 'your own key'].filter(Boolean).join(', ') || 'any key'
}

function plansWith(feature: Feature, plans: readonly Plan[]): string {
  const names = plans.filter((plan) => FEATURES[feature].allows(plan)).map(({ name }) => name)
  return `Needs ${FEATURES[feature].name} (${names.join(', ')}).`
}

function parameterRow(parameter: Parameter, forDemo: boolean): string[] {
  const { name, required, description = '', schema } = parameter
  const preset = schema.default === undefined ? '' : `\`${schema.default}\``
  return [
    `\`${name}\``,
    typeOf(schema),
    required ? 'required' : preset,
    ...(forDemo ? [withDemoKey(parameter)] : []),
    description,
  ]
}

const bodyRows = (body: JsonSchema) =>
  fieldsOf(body).map(({ path, schema, isRequired }) => [
    `\`${path}\``,
    typeOf(schema),
    isRequired ? 'yes' : 'no',
    meaningOf(schema),
  ])

function withDemoKey(parameter: Parameter): string {
  if (parameter['x-own-key']) return 'ignored'
  if (parameter['x-paging']) return 'refused'
  const maximum = parameter['x-demo-maximum']
  return maximum === undefined ? 'works' : `at most ${maximum}, higher values are refused`
}

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
    'Signal kinds',
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

export const ERROR_EXAMPLE = {
  success: false,
  error: {
    message: `Invalid request: limit must be a whole number from 1 to ${MAX_LIMIT}`,
    code: 'BAD_REQUEST',
    details: [{ field: 'limit', message: `must be a whole number from 1 to ${MAX_LIMIT}` }],
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
