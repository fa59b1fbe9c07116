import { dice } from '../dice.ts'

const DRAWN_ORDERS = 60

/**
 * Returns every order of the things, each repeated one to `most` times. If there are more than `mostOrders`, returns the
 * orders without repetition and a sample of those with repetitions.
 */
export function allOrders<T>(things: readonly T[], most: number, mostOrders: number): T[][] {
  const times = [...repetitions(things.length, most)]
  if (times.reduce((sum, each) => sum + countOrders(each), 0) <= mostOrders) {
    return times.flatMap((each) => [...ordersOf(things, each)])
  }
  const roll = dice(1)
  const draw = (count: number, repeated: number) =>
    Array.from({ length: count }, () => shuffled(things, roll, repeated))
  const once = Array<number>(things.length).fill(1)
  const orders = countOrders(once) <= mostOrders ? [...ordersOf(things, once)] : draw(mostOrders, 1)
  return [...orders, ...draw(DRAWN_ORDERS, most)]
}

/** Returns every order of the blocks; the order within a block stays the same. */
export function blockOrders<T>(blocks: readonly T[][]): T[][] {
  return [...ordersOf(blocks, Array<number>(blocks.length).fill(1))].map((order) => order.flat())
}

/** Yields every order of the things, with each thing repeated `times[index]` times. */
function* ordersOf<T>(things: readonly T[], times: readonly number[]): Generator<T[]> {
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

/** Yields every way to assign each of `count` things a number from 1 to `most`. */
function* repetitions(count: number, most: number): Generator<number[]> {
  if (count === 0) {
    yield []
    return
  }
  for (const rest of repetitions(count - 1, most)) {
    for (let times = 1; times <= most; times += 1) yield [times, ...rest]
  }
}

/** Returns a random order, with each thing repeated one to `most` times. */
export function shuffled<T>(things: readonly T[], roll: () => number, most = 1): T[] {
  const repeated = things.flatMap((thing) => Array<T>(1 + Math.floor(roll() * most)).fill(thing))
  return repeated
    .map((thing) => ({ thing, place: roll() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ thing }) => thing)
}

/** Returns the number of orders of things with these repetitions. */
function countOrders(times: readonly number[]): number {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))
  return times.reduce((count, each) => count / factorial(each), factorial(times.reduce((sum, each) => sum + each, 0)))
}
