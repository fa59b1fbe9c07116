import { Histogram, type Metric } from './exposition.ts'

interface RouteMetrics {
  statuses: Map<number, number>
  durations: Histogram
}

/** The answers of a route. `durations` counts all answers by their duration. */
export interface RouteFigures {
  route: string
  clientErrors: number
  serverErrors: number
  durations: number[]
}

/** Counts answers by route, never by path or account, so that the number of series is bounded. */
export class RequestMetrics {
  readonly #routes = new Map<string, RouteMetrics>()

  observe(route: string, statusCode: number, durationMs: number): void {
    let metrics = this.#routes.get(route)
    if (metrics === undefined) {
      metrics = { statuses: new Map(), durations: new Histogram() }
      this.#routes.set(route, metrics)
    }
    metrics.statuses.set(statusCode, (metrics.statuses.get(statusCode) ?? 0) + 1)
    metrics.durations.observe(durationMs / 1_000)
  }

  /** Returns the figures of each route since the start. */
  routes(): RouteFigures[] {
    return [...this.#routes].map(([route, { statuses, durations }]) => {
      const answered = (from: number) =>
        [...statuses].reduce((sum, [status, count]) => (status >= from && status < from + 100 ? sum + count : sum), 0)
      return { route, clientErrors: answered(400), serverErrors: answered(500), durations: [...durations.counts()] }
    })
  }

  list(): Metric[] {
    const routes = [...this.#routes]
    return [
      {
        name: 'mintick_requests_total',
        help: 'Answered requests by route and status.',
        type: 'counter',
        samples: routes.flatMap(([route, { statuses }]) =>
          [...statuses].map(([status, value]) => ({ labels: { route, status: String(status) }, value })),
        ),
      },
      {
        name: 'mintick_request_duration_seconds',
        help: 'Time from the arrival of a request to its answer.',
        type: 'histogram',
        samples: routes.map(([route, { durations }]) => ({ labels: { route }, value: durations })),
      },
    ]
  }
}
