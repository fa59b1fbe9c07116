import Type, { type Static } from 'typebox'
import type { Clock } from '../../clock.ts'
import { DATA_KINDS } from '../../model/data-kinds.ts'
import { day, integer, nullable, share, text, time } from '../../model/schema.ts'
import { DAY, isoDay, isoTime, isoTimeOrNull, SECOND, startOfDay } from '../../model/time.ts'
import { coveredShare, type Span } from '../../model/uptime.ts'
import { CONNECTORS } from '../../sources/catalogue.ts'
import type { SourceRecord } from '../../store/sources/sources.ts'
import type { Store } from '../../store/store.ts'
import { LEAST_GAP_MS } from '../../store/uptime.ts'

/** Periods of uptime by name, in days. */
const PERIODS = { '24h': 1, '7d': 7, '90d': 90 } as const
const SHOWN_DAYS = 90
/** Anyone may ask for the status, so it is not read for each request. */
const FRESH_MS = 5 * SECOND

export const StatusView = Type.Object(
  {
    uptime: Type.Object(
      {
        knownSince: nullable(time('When uptime was first recorded; null if it never was')),
        periods: Type.Array(
          Type.Object({
            period: Type.Enum(Object.keys(PERIODS), { description: 'The last 24 hours, 7 days or 90 days' }),
            from: time('Start of the period, or knownSince if that is later'),
            share: nullable(share('Share of the time since then in which the service ran; null if unknown')),
          }),
          { description: 'Uptime of several periods, each up to now' },
        ),
        days: Type.Array(
          Type.Object({
            day: day('Day in UTC'),
            share: nullable(share('Share of the day in which the service ran; null if unknown')),
          }),
          { description: `The last ${SHOWN_DAYS} days, oldest first; the first and the last one may be incomplete` },
        ),
      },
      {
        description: `When at least one instance ran and could write to its store. Interruptions of less than ${LEAST_GAP_MS / SECOND} seconds are not noticed`,
      },
    ),
    data: Type.Array(
      Type.Object({
        kind: Type.Enum(DATA_KINDS, { description: 'Kind of data' }),
        newestAt: nullable(
          time('When its newest record was added, or for candles the time of the newest price; null if there is none'),
        ),
        lagSeconds: nullable(
          Type.Integer({
            description: 'Median time from publication to storage of the latest items of its sources; null if unknown',
          }),
        ),
        sources: integer('Number of sources that are read for it'),
        failing: integer('Of these, sources whose last run failed'),
      }),
      { description: 'How current the data is' },
    ),
    version: text('Version of the software'),
    time: time('Time of the server'),
  },
  { description: 'Status of this service' },
)

export type Status = Static<typeof StatusView>

/** Reads the public status of the service, at most once in some seconds. */
export class StatusReport {
  readonly #store: Store
  readonly #clock: Clock
  readonly #version: string
  #last: { status: Promise<Status>; at: number } | undefined

  constructor(parts: { store: Store; clock: Clock; version: string }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#version = parts.version
  }

  read(): Promise<Status> {
    const at = this.#clock.elapsed()
    if (this.#last !== undefined && at - this.#last.at < FRESH_MS) return this.#last.status
    const status = this.#read()
    this.#last = { status, at }
    status.catch(() => {
      this.#last = undefined
    })
    return status
  }

  async #read(): Promise<Status> {
    const { uptime, sources, newest } = this.#store
    const now = this.#clock.now()
    const [spans, knownSince, read, newestAt] = await Promise.all([
      uptime.list(now - SHOWN_DAYS * DAY),
      uptime.knownSince(),
      sources.list(),
      newest(),
    ])
    return {
      uptime: describeUptime(upTo(now, spans), knownSince, now),
      data: DATA_KINDS.map((kind) => {
        const own = read.filter((source) => isRead(source) && CONNECTORS.get(source.kind)?.brings === kind)
        return {
          kind,
          newestAt: isoTimeOrNull(newestAt[kind]),
          lagSeconds: medianLag(own),
          sources: own.length,
          failing: own.filter(({ failures }) => failures > 0).length,
        }
      }),
      version: this.#version,
      time: isoTime(now),
    }
  }
}

/** Continues the last span until now, unless its next heartbeat is overdue. */
function upTo(now: number, spans: readonly Span[]): Span[] {
  return spans.map(({ start, end }) => ({ start, end: end >= now - LEAST_GAP_MS ? Math.max(end, now) : end }))
}

function describeUptime(spans: readonly Span[], knownSince: number | undefined, now: number): Status['uptime'] {
  const shareOf = (from: number, to: number) =>
    knownSince === undefined || to <= knownSince ? null : coveredShare(spans, Math.max(from, knownSince), to)
  const today = startOfDay(now)
  return {
    knownSince: isoTimeOrNull(knownSince ?? null),
    periods: Object.entries(PERIODS).map(([period, days]) => {
      const from = Math.min(Math.max(now - days * DAY, knownSince ?? 0), now)
      return { period, from: isoTime(from), share: shareOf(from, now) }
    }),
    days: Array.from({ length: SHOWN_DAYS }, (_, index) => {
      const start = today - (SHOWN_DAYS - 1 - index) * DAY
      return { day: isoDay(start), share: shareOf(start, Math.min(start + DAY, now)) }
    }),
  }
}

const isRead = ({ isPaused, stopped }: SourceRecord) => !isPaused && stopped === null

function medianLag(sources: readonly SourceRecord[]): number | null {
  const lags = sources.flatMap(({ lagMs }) => (lagMs === null ? [] : [lagMs])).sort((a, b) => a - b)
  const median = lags[Math.floor((lags.length - 1) / 2)]
  return median === undefined ? null : Math.round(median / SECOND)
}
