const AT_ONCE = 4

/** Does `work` for each item, for a few at the same time: other work does not wait until all are done. Returns the results in order. */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const workOff = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workOff))
  return results
}
