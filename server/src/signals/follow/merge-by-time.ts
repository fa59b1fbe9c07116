import type { SourceItem, SourcePage } from './source.ts'

/**
 * Merges the next items of several sources by the time at which the store received them. Stops where a source may have more
 * items that are not loaded yet; `reached` is the position reached in each source.
 */
export function mergeByTime(pages: readonly { from: number; page: SourcePage }[]): {
  next: SourceItem[]
  reached: number[]
} {
  const next: SourceItem[] = []
  const taken = pages.map(() => 0)
  const isAtEnd = (index: number) => (taken[index] ?? 0) === pages[index]?.page.items.length
  for (;;) {
    const cut = pages.findIndex(({ page }, index) => isAtEnd(index) && !page.isAll)
    const first = cut < 0 ? earliest(pages, taken) : undefined
    const item = first === undefined ? undefined : pages[first]?.page.items[taken[first] ?? 0]
    if (first === undefined || item === undefined) break
    next.push(item)
    taken[first] = (taken[first] ?? 0) + 1
  }
  const reached = pages.map(({ from, page }, index) => {
    if (isAtEnd(index)) return page.reached
    return page.items[(taken[index] ?? 0) - 1]?.position ?? from
  })
  return { next, reached }
}

/** Returns the index of the source with the earliest next item. */
function earliest(pages: readonly { page: SourcePage }[], taken: readonly number[]): number | undefined {
  let found: { index: number; at: number } | undefined
  for (const [index, { page }] of pages.entries()) {
    const at = page.items[taken[index] ?? 0]?.observation.at
    if (at !== undefined && (found === undefined || at < found.at)) found = { index, at }
  }
  return found?.index
}
