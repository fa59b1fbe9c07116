/** Every order of these things, each as often as `times` says. */
export function* ordersOf<T>(things: readonly T[], times: readonly number[]): Generator<T[]> {
  if (times.every((left) => left === 0)) {
    yield []
    return
  }
  for (const [index, thing] of things.entries()) {
    const left = times[index] ?? 0
    if (left === 0) continue
    for (const rest of ordersOf(things, times.with(index, left - 1))) yield [thing, ...rest]
  }
}

/** All ways to give each of `count` things a number from 1 to `most`. */
export function* repetitions(count: number, most: number): Generator<number[]> {
  if (count === 0) {
    yield []
    return
  }
  for (const rest of repetitions(count - 1, most)) {
    for (let times = 1; times <= most; times += 1) yield [times, ...rest]
  }
}

/** Numbers from 0 to 1, always the same ones, so that what fails once fails again. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One order, each thing one to `most` times. */
export function shuffled<T>(things: readonly T[], roll: () => number, most = 1): T[] {
  const repeated = things.flatMap((thing) => Array<T>(1 + Math.floor(roll() * most)).fill(thing))
  return repeated
    .map((thing) => ({ thing, place: roll() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ thing }) => thing)
}
