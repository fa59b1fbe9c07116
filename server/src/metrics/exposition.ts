/** A metric in the text format of Prometheus. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: readonly Sample[]
}

interface Sample {
  labels?: Readonly<Record<string, string>>
  value: number | Histogram
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Upper bounds of durations in seconds: answers take from a fraction of a millisecond to some seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Counts durations by their upper bounds. */
export class Histogram {
  readonly #counts = new Array<number>(BOUNDS.length + 1).fill(0)
  #sum = 0

  observe(seconds: number): void {
    let place = 0
    while (place < BOUNDS.length && seconds > (BOUNDS[place] ?? 0)) place += 1
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#sum += seconds
  }

  /** Returns how many durations there are up to each bound, those beyond the last one at the end. */
  counts(): readonly number[] {
    return this.#counts
  }

  lines(name: string, labels: Readonly<Record<string, string>>): string[] {
    let count = 0
    const buckets = this.#counts.map((added, place) => {
      count += added
      return lineOf(`${name}_bucket`, { ...labels, le: String(BOUNDS[place] ?? '+Inf') }, count)
    })
    return [...buckets, lineOf(`${name}_sum`, labels, this.#sum), lineOf(`${name}_count`, labels, count)]
  }
}

/**
 * Estimates the duration in seconds that a share of the counted ones does not exceed; undefined if there are none. It
 * assumes that durations are evenly spread between two bounds.
 */
export function quantileOf(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let left = share * total
  for (const [place, count] of counts.entries()) {
    const from = BOUNDS[place - 1] ?? 0
    if (left <= count && count > 0) return from + ((BOUNDS[place] ?? from) - from) * (left / count)
    left -= count
  }
  return BOUNDS.at(-1)
}

export function expositionOf(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.flatMap(({ labels = {}, value }) =>
        value instanceof Histogram ? value.lines(name, labels) : lineOf(name, labels, value),
      ),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function lineOf(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
