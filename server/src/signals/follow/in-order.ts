import type { Placed, Portion } from './followed.ts'

/**
 * Puts what comes next of several sorts into one order, by the time at which the store learned of it. It ends where more of a
 * sort may follow that is not at hand yet; `reached` tells for each sort how far it was taken.
 */
export function inOrder(portions: readonly { from: number; portion: Portion }[]): {
  next: Placed[]
  reached: number[]
} {
  const next: Placed[] = []
  const taken = portions.map(() => 0)
  const isAtEnd = (index: number) => (taken[index] ?? 0) === portions[index]?.portion.items.length
  for (;;) {
    const cut = portions.findIndex(({ portion }, index) => isAtEnd(index) && !portion.isAll)
    const first = cut < 0 ? earliest(portions, taken) : undefined
    const item = first === undefined ? undefined : portions[first]?.portion.items[taken[first] ?? 0]
    if (first === undefined || item === undefined) break
    next.push(item)
    taken[first] = (taken[first] ?? 0) + 1
  }
  const reached = portions.map(({ from, portion }, index) => {
    if (isAtEnd(index)) return portion.reached
    return portion.items[(taken[index] ?? 0) - 1]?.place ?? from
  })
  return { next, reached }
}

/** The sort whose next one came first. */
function earliest(portions: readonly { portion: Portion }[], taken: readonly number[]): number | undefined {
  let found: { index: number; at: number } | undefined
  for (const [index, { portion }] of portions.entries()) {
    const at = portion.items[taken[index] ?? 0]?.happening.at
    if (at !== undefined && (found === undefined || at < found.at)) found = { index, at }
  }
  return found?.index
}
