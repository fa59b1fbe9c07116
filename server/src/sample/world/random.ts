export interface Random {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns an integer from min to max, both inclusive. */
  int(min: number, max: number): number
  between(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  weighted<T>(table: WeightedTable<T>): T
  chance(probability: number): boolean
  /** Returns a normally distributed number with mean 0 and standard deviation 1. */
  normal(): number
}

export interface WeightedTable<T> {
  items: readonly T[]
  /** Cumulative weights, normalised to end in 1. */
  cumulative: readonly number[]
}

/** Creates an sfc32 generator: the same numbers for the same seed on every machine, fast enough for load tests. */
export function createRandom(seed: string | number): Random {
  let [a, b, c, counter] = seedWords(String(seed))

  function next(): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 4_294_967_296
  }

  for (let i = 0; i < 12; i++) next()

  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    between: (min, max) => min + next() * (max - min),
    pick: (list) => at(list, Math.floor(next() * list.length)),
    weighted: (table) => at(table.items, firstAbove(table.cumulative, next())),
    chance: (probability) => next() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

export function weightedTable<T>(items: readonly T[], weight: (item: T, index: number) => number): WeightedTable<T> {
  const weights = items.map(weight)
  const total = weights.reduce((sum, value) => sum + value, 0)
  let running = 0
  const cumulative = weights.map((value) => {
    running += value
    return running / total
  })
  return { items, cumulative }
}

/** Returns weights that fall with rank (Zipf's law): the first item is the most common, and the tail is long. */
export function zipfTable<T>(items: readonly T[], exponent = 0.9): WeightedTable<T> {
  return weightedTable(items, (_, index) => 1 / (index + 1) ** exponent)
}

/**
 * Returns ids for a numbered series (UUID version 8), many times faster than one hash per id. The first 32 bits are a
 * bijection of the number, so no two numbers of a series share them.
 */
export function createSeriesId(seed: string): (number: number) => string {
  const [a, b, c, d] = seedWords(`series:${seed}`)
  return (number) => {
    const first = hex8(mix(number ^ a))
    const second = hex8((mix((number + b) | 0) & 0xffff_0fff) | 0x8000)
    const third = hex8((mix(number ^ c) & 0x3fff_ffff) | 0x8000_0000)
    const fourth = hex8(mix((number + d) | 0))
    return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`
  }
}

/** Returns ids that start with a time (UUID version 7): an index of millions of them grows at its end only. */
export function createTimedId(seed: string): (number: number, epochMs: number) => string {
  const [a, b] = seedWords(`timed:${seed}`)
  return (number, epochMs) => {
    const time = epochMs.toString(16).padStart(12, '0')
    const own = hex8(mix(number ^ a))
    const more = hex8((mix((number + b) | 0) & 0x3fff_ffff) | 0x8000_0000)
    return `${time.slice(0, 8)}-${time.slice(8)}-7${own.slice(0, 3)}-${more.slice(0, 4)}-${own}${more.slice(4)}`
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error('Cannot pick from an empty list')
  return item
}

function firstAbove(cumulative: readonly number[], value: number): number {
  let low = 0
  let high = cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cumulative[middle] ?? 1) > value) high = middle
    else low = middle + 1
  }
  return low
}

function seedWords(seed: string): [number, number, number, number] {
  let hash = 0x811c_9dc5
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x0100_0193)
  return [mix(hash), mix(hash + 0x9e37_79b9), mix(hash ^ 0x85eb_ca6b), mix(hash + 0xc2b2_ae35)]
}

/** The finaliser of MurmurHash3: a bijection, so distinct inputs stay distinct. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35)
  return h ^ (h >>> 16)
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex8(word: number): string {
  return `${BYTES[word >>> 24]}${BYTES[(word >>> 16) & 255]}${BYTES[(word >>> 8) & 255]}${BYTES[word & 255]}`
}
