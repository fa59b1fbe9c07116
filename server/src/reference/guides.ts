import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { DEMO_KEY } from '../admission/key.ts'
import { DAILY_DATASETS } from '../api/export/datasets.ts'
import { MAX_AT_ONCE } from '../export/bulk-exports.ts'
import { COMPARED_DAYS } from '../export/daily-files.ts'
import { STALL_MS } from '../http/download.ts'
import type { AnyEndpoint, Returns } from '../http/endpoint.ts'
import { MAX_LIMIT } from '../http/params.ts'
import { ERROR_STATUS } from '../model/errors.ts'
import { BLOCK_ROWS } from '../model/exports.ts'
import { HEARTBEAT_MS, LOG_KEPT_MS } from '../model/streams.ts'
import { HOUR, MINUTE, SECOND } from '../model/time.ts'
import { effectiveCost, STREAM_COST } from '../plans/cost.ts'
import { DEMO_PLAN, DEMO_POOL_CREDITS, FEATURES, PLANS, type Plan } from '../plans/plans.ts'
import { agentsGuide } from './agents-guide.ts'
import { figure, markdownPage, markdownTable } from './markdown.ts'
import { ERROR_CODES, ERROR_CONDITIONS } from './openapi-components.ts'
import { ERROR_EXAMPLE } from './pages.ts'

/** The guides in docs/guides, by name, in the order in which readers need them. Their figures come from the tables of the service. */
export function guides(endpoints: readonly AnyEndpoint<never>[]): Record<string, string> {
  return {
    paging: pagingGuide(endpoints),
    limits: limitsGuide(),
    errors: errorsGuide(),
    retries: retriesGuide(),
    streams: streamsGuide(),
    'point-in-time': pointInTimeGuide(),
    exports: exportsGuide(endpoints),
    agents: agentsGuide(endpoints),
  }
}

const plans: readonly Plan[] = Object.values(PLANS)
const curl = (...commands: string[]) =>
  `\`\`\`sh\n${commands.map((path) => `curl -H "Authorization: Bearer $KEY" "http://127.0.0.1:3000/api/v1${path}"`).join('\n')}\n\`\`\``
const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

function pagingGuide(endpoints: readonly AnyEndpoint<never>[]): string {
  const listsOf = (returns: Returns) =>
    endpoints
      .filter((endpoint) => endpoint.access === 'key' && endpoint.returns === returns)
      .map(({ path }) => `\`${path}\``)
      .join(', ')
  return markdownPage(
    'Paging',
    `A list answers with one page. \`limit\` is the size of a page, at most ${MAX_LIMIT}, and \`meta\` says where the page is in the list. There are three kinds of lists; the reference names the kind of each.`,
    '## Lists paged by cursor',
    `Pages follow each other by cursor, so that a record that arrives meanwhile neither repeats nor hides another one: ${listsOf('cursor-list')}.`,
    curl(`/entries?limit=${MAX_LIMIT}`, `/entries?limit=${MAX_LIMIT}&after=<nextCursor>`),
    json({
      meta: {
        totalCount: 6000,
        count: MAX_LIMIT,
        limit: MAX_LIMIT,
        hasMore: true,
        nextCursor: 'MTNzZG…',
        prevCursor: null,
      },
    }),
    '- Send `meta.nextCursor` as `after` with the same filters, until `meta.hasMore` is false.\n- Send `meta.prevCursor` as `before` to go back.\n- A cursor belongs to the filters, the sort order and the `asOf` that it came from. With others it is answered with 400.\n- `meta.totalCount` counts all records that match, on all pages.',
    '## Lists paged by number',
    `\`page\` starts at 1, and \`meta.nextPage\` is null on the last page: ${listsOf('page-list')}.`,
    curl(`/assets?limit=${MAX_LIMIT}&page=2`),
    '## Lists paged by offset',
    `\`offset\` records are skipped, and \`meta.nextOffset\` is null on the last page: ${listsOf('offset-list')}.`,
    curl(`/account/logs?limit=${MAX_LIMIT}&offset=${MAX_LIMIT}`),
    '## Candles and counts',
    'A series has no pages but a range of time. If it does not fit, `meta.hasMore` is true and `meta` has the start of the next request: `nextOpenedAfter` for candles, `nextPublishedAfter` for counts of entries.',
    '## Cost',
    `Each page costs as much as a request, whatever its size. Pages of ${MAX_LIMIT} need the fewest requests. The [demo key](limits.md#the-demo-key) gets at most ${DEMO_LIST_CAP} items of a list and cannot page.`,
  )
}

function limitsGuide(): string {
  const { free } = PLANS
  const [dearest] = [...plans].filter(({ creditMultiplier }) => creditMultiplier !== null).sort(byMultiplier)
  const names = plans.map(({ name }) => name)
  const agreed = (value: number | null) => (value === null ? 'as agreed' : figure(value))
  return markdownPage(
    'Limits and credits',
    'A request needs two things: a free place within the rate limits of its key, and credits in the account. [Plans](../reference/plans.md) has all numbers.',
    '## Rate limits',
    `A key may make a burst of requests at once, and then as many as refill. On the ${free.name} plan these are ${free.burst} requests, then one every ${MINUTE / SECOND / free.requestsPerMinute} seconds. Limits per hour and per day apply as well. Every key has limits of its own.`,
    markdownTable(
      ['', ...names],
      [
        ['Requests at once', ...plans.map(({ burst }) => figure(burst))],
        ['Requests per minute', ...plans.map(({ requestsPerMinute }) => figure(requestsPerMinute))],
        ['Requests per hour', ...plans.map(({ requestsPerHour }) => figure(requestsPerHour))],
        ['Requests per day', ...plans.map(({ requestsPerDay }) => figure(requestsPerDay))],
      ],
    ),
    'Every answer to a valid key has the state of the three limits: remaining requests `r`, and seconds until all of them are back, `t`.',
    '```\nRateLimit: "burst";r=14;t=6, "hour";r=99;t=3600, "day";r=499;t=86400\n```',
    'Above a limit the answer is 429 with `Retry-After`, the seconds to wait. It costs nothing and does not count.',
    '## Credits',
    `The reference has the credits of each endpoint. A plan multiplies them, rounded up: with the multiplier ${dearest?.creditMultiplier} of ${dearest?.name}, a request for 5 credits costs ${effectiveCost(5, dearest ?? free)}. Only successful requests are charged, and so is an unchanged answer (304).`,
    markdownTable(
      ['', ...names],
      [
        ['Multiplier', ...plans.map(({ creditMultiplier }) => agreed(creditMultiplier))],
        ['Credits per month', ...plans.map(({ monthlyCredits }) => agreed(monthlyCredits))],
        ['Credits at signup', ...plans.map(({ signupCredits }) => agreed(signupCredits))],
      ],
    ),
    '`X-Credits-Cost` and `X-Credits-Remaining` report what an answer cost and what is left. Without enough credits the answer is 402, and nothing happens. Monthly credits are used before bought ones, and expire at the end of the billing month.',
    '`GET /account/usage` sums up what was used by day, key and endpoint; `PATCH /account/alerts` sets a balance below which you are told by webhook or mail.',
    '## The demo key',
    `\`${DEMO_KEY}\` works for everyone, at once and without an account. All its users share ${figure(DEMO_POOL_CREDITS)} credits an hour and ${figure(DEMO_PLAN.requestsPerMinute)} requests a minute. It gets at most ${DEMO_LIST_CAP} items of a list, ignores most filters, cannot page and cannot change anything.`,
  )
}

const byMultiplier = (a: Plan, b: Plan) => (a.creditMultiplier ?? 1) - (b.creditMultiplier ?? 1)

function errorsGuide(): string {
  return markdownPage(
    'Errors',
    'Every error has the same form, and its HTTP status is `statusCode`. Decide by `error.code`, which is stable; `error.message` is for people.',
    json(ERROR_EXAMPLE),
    'The header `X-Request-Id` names the request. Name it when you report a problem; `GET /account/logs` has it too.',
    ...ERROR_CODES.flatMap((code) => [`## ${ERROR_STATUS[code]} ${code}`, ERROR_CONDITIONS[code]]),
    '## Parameters without effect',
    'An unknown parameter is no error: the header `X-Ignored-Parameters` names it, with the known parameter that is spelled most like it. Exports refuse it with 400 instead, and streams refuse parameters that only their list has. `X-Notice` says so if a list is empty because its range of time is in the future or before the first record.',
  )
}

function retriesGuide(): string {
  return markdownPage(
    'Retries and idempotency',
    'A connection can break, and a limit can be reached. This page says which requests you can safely send again.',
    '## When to try again',
    '- After 429, wait for the seconds in `Retry-After`.\n- After 5xx, or if the connection broke, wait a second and double the pause each time.\n- After any other 4xx the same request fails again. Change it first.',
    'GET and DELETE may always be repeated; the second DELETE may be answered with 404. A request that failed costs nothing.',
    '## Repeat a POST safely',
    'If the answer to a POST request is lost, you cannot know whether it took effect. Send an `Idempotency-Key` of your choice, such as a UUID, with the first attempt and every further one:',
    '```sh\ncurl -H "Authorization: Bearer $KEY" -H "Idempotency-Key: 6f1c2b1e" \\\n  -d \'{"name":"laptop"}\' "http://127.0.0.1:3000/api/v1/account/api-keys"\n```',
    '- For 24 hours the same key with the same body gets the first answer again, with the header `Idempotent-Replayed: true` and without a second effect.\n- The same key with another body is answered with 400.\n- A failed request does not use the key up.\n- Secrets are not stored: a repeated creation of an API key is answered without `apiKey`.',
    '## Ask only for changes',
    'Every answer to GET has an `ETag`. Send it back as `If-None-Match`: an unchanged answer is a 304 without a body. It costs as much, but it is quick.',
  )
}

function streamsGuide(): string {
  const withStreams = plans.filter((plan) => FEATURES.realtime.allows(plan))
  return markdownPage(
    'Streams',
    'New signals and news can be read as they appear, over server-sent events (`/signals/stream`, `/entries/stream`) or a WebSocket (`/signals/ws`, `/entries/ws`). Streams of signals take the main filters of `/signals`, and streams of entries all filters of `/entries` except `query` and `asOf`. Other parameters of the lists are refused.',
    '```sh\ncurl -N -H "Authorization: Bearer $KEY" "http://127.0.0.1:3000/api/v1/signals/stream?strengthMin=0.5"\n```',
    `\`\`\`\nid: 41\nevent: ready\ndata: {"connectionId":"0d9c…","resumedFrom":null,"replayCount":0,"creditsPerMinute":${STREAM_COST.perMinute}}\n\nid: 42\nevent: signal\ndata: {"signal":{"id":"6e02…","kind":"news_volume_spike","strength":0.71},"change":"new"}\n\`\`\``,
    '## Events',
    `- \`ready\` comes first.\n- \`signal\` has a signal and whether it is \`new\` or \`updated\`; an updated signal keeps its id.\n- \`entry\` is the same for an entry. A changed entry is sent if it matches the filters then. Removals are not sent; \`/changes\` lists them.\n- \`heartbeat\` comes every ${HEARTBEAT_MS / SECOND} seconds. If none arrives for twice as long, connect again.\n- \`closing\` announces the end of the stream, with the reason and \`reconnectAfterMs\`.\n- \`gap\` names events that you missed and that are no longer kept. If its id is lower than the one that you sent, the service was restored from a backup, and went on from there: read \`/signals\` or \`/entries\` again.`,
    '## Resume',
    `The \`id\` of an event is its place in the stream, not the id of a signal or an entry. Send the last one you saw as the header \`Last-Event-ID\`, or as \`lastEventId\`, and the events that you missed come first, up to ${LOG_KEPT_MS / HOUR} hours back.`,
    'The clients for TypeScript and Python reconnect and resume by themselves.',
    '## Cost and limits',
    `Connecting is free; each minute costs ${STREAM_COST.perMinute} credits before the multiplier of the plan. The plan limits how many streams, of either kind, an account has open at a time.`,
    markdownTable(
      ['', ...withStreams.map(({ name }) => name)],
      [
        ['Open streams', ...withStreams.map(({ realtimeConnections }) => figure(realtimeConnections))],
        [
          'Credits per minute',
          ...withStreams.map((plan) =>
            plan.creditMultiplier === null ? 'as agreed' : figure(effectiveCost(STREAM_COST.perMinute, plan)),
          ),
        ],
      ],
    ),
    '## In browsers',
    '`EventSource` and `WebSocket` cannot send the header `Authorization`. Read the stream with `fetch`, or with the TypeScript client. Pages of other origins need `CORS_ORIGINS` on the service.',
  )
}

function pointInTimeGuide(): string {
  return markdownPage(
    'Point in time',
    'A backtest must not know the future. With `asOf`, a time of the past, lists and records answer as they would have answered then.',
    curl(
      '/sec/insider-trades?asOf=2026-01-31T21:00:00Z&assetKey=AAPL',
      '/signals?asOf=2026-01-31T21:00:00Z&status=active',
    ),
    '- **SEC records** are those that the SEC had accepted by then, without the effect of later amendments.\n- **Signals** look as they did: later updates and outcomes are left out, and `status` is the one of that time.\n- **Entries** are those that had arrived by then, in their current text.\n- **Totals** count only the records that were known at that time.',
    'A time in the future is the present. A cursor belongs to the `asOf` that it came from.',
    '## Which time counts',
    '`publishedAt` is when a publisher says that an entry appeared, `createdAt` when this service added it. `asOf` compares with `createdAt`, because no program could have known the entry before. SEC records have `filedAt`, the time of acceptance.',
    'All times are ISO 8601. A time without a zone is in UTC, and a day without a time is its start.',
  )
}

/** Lines that read the file of the guide, by the name of the tool. */
export const EXPORT_READERS = {
  DuckDB:
    "select title, publishedAt from 'entries.parquet' where list_contains(assetKeys, 'AAPL') order by publishedAt",
  pandas: 'pandas.read_parquet("entries.parquet").set_index("publishedAt")["sentimentScore"].resample("1D").mean()',
  polars: 'polars.read_parquet("entries.parquet").filter(polars.col("assetKeys").list.contains("AAPL"))',
}

function exportsGuide(endpoints: readonly AnyEndpoint<never>[]): string {
  const exports = endpoints.filter(({ cost }) => cost.perRows !== undefined)
  const withExport = plans.filter((plan) => FEATURES.bulkExport.allows(plan))
  const daily = DAILY_DATASETS.map(({ name }) => name).join(', ')
  return markdownPage(
    'Bulk export',
    `All rows of a list as one file: ${exports.map(({ path }) => `\`${path}\``).join(', ')}. They take the filters and sort orders of the list. Needs bulk export (${withExport.map(({ name }) => name).join(', ')}); the SEC datasets also need SEC data.`,
    '```text\ncurl -H "Authorization: Bearer $KEY" -o entries.parquet \\\n  "http://127.0.0.1:3000/api/v1/export/entries?format=parquet&publishedAfter=2026-01-01"\n```',
    '## Formats',
    markdownTable(
      ['`format`', 'Rows', 'Can be continued'],
      [
        ['`ndjson`', 'a JSON object per line, as in the list', 'yes'],
        ['`csv`', 'a header row; null is an empty cell, an empty text is `""`, lists and objects are JSON', 'yes'],
        [
          '`parquet`',
          'typed columns; times are timestamps, lists of texts are lists, other lists and objects are JSON',
          'no',
        ],
      ],
    ),
    '`fields` chooses columns, and `limit` the most rows. A parameter that the export does not have is refused with 400: a misspelt filter would be paid for with all rows. An unknown dataset is answered with 404 and the names of all.',
    'Texts come from publishers and are sent as they are, in CSV as well. A spreadsheet takes cells that begin with `=`, `+`, `-` or `@` for formulas: import such columns as text.',
    '## Read it',
    ...Object.entries(EXPORT_READERS).map(
      ([tool, line]) => `${tool}:\n\n\`\`\`${tool === 'DuckDB' ? 'sql' : 'python'}\n${line}\n\`\`\``,
    ),
    '## Price',
    `Each started ${BLOCK_ROWS} rows cost as much as a page of the list, and are charged before they are sent. An export counts as one request towards the rate limits. \`X-Total-Count\` is the number of rows that match; \`GET /account/cost\` tells the price of ${BLOCK_ROWS} rows. The balance has to cover a Parquet file as a whole; the other formats end when the credits do. HEAD has the headers alone and is free.`,
    `An account may run ${MAX_AT_ONCE} exports at a time on an instance; a further one is answered with 429 and \`Retry-After\`. A client that reads nothing for ${STALL_MS / SECOND} seconds is cut.`,
    '## Is it complete?',
    'An export that ends early cuts the connection, which every HTTP client reports. `GET /account/exports/<X-Request-Id>` tells what became of it: `status`, and the rows, bytes and SHA-256 of what was sent. Its rows are those that you paid for; of the last ones, the end may be missing if the connection broke. The request log has the export from its first rows on, with its credits.',
    '## Continue it',
    'Send the same request with `after`, the id of the last complete row that you have, and append the answer: it has no header row. You pay for the rows that follow. The row may have changed meanwhile: its place counts, whether or not it still matches the filters. The order of the list applies, without rows that arrived after the start of the request; a record that changes meanwhile may move in an order by a changing field, such as `volume`. With `asOf`, where the list has it, the rows are those of one moment.',
    '## Daily files',
    `\`GET /export/files\` lists a Parquet file per UTC day for ${daily}, by the day of publication, filing or generation. It is built within two hours after the day. \`GET /export/files/:id\` downloads it: the first download costs as much as an export of its rows, further ones nothing, so that a download that broke goes on with \`Range\` for free. A file never changes and has its SHA-256 as ETag; send it as \`If-Range\`, or as \`If-None-Match\`.`,
    `If records of a day change within ${COMPARED_DAYS} days, another file supersedes its file (\`supersedes\`, \`supersededBy\`) and is paid for as a whole; later changes are in exports and in \`/changes\`. The operator keeps files for a number of days (\`EXPORT_FILES_DAYS\`). A file that is removed during a download is sent to its end.`,
  )
}
