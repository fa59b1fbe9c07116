const AT_ONCE = 4

/** Runs `work` for each item, four at a time, so that other requests are not kept waiting. Returns the results in the order of the items. */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  await shareOut(items.entries(), Array(AT_ONCE).fill(undefined), async ([index, item]) => {
    results[index] = await work(item)
  })
  return results
}

/** Gives each worker the next item when it is done with the last one, until none is left or one fails. */
export async function shareOut<Item, Worker>(
  items: IterableIterator<Item>,
  workers: readonly Worker[],
  work: (item: Item, worker: Worker) => Promise<void>,
): Promise<void> {
  let hasFailed = false
  const workOff = async (worker: Worker) => {
    for (const item of items) {
      if (hasFailed) return
      await work(item, worker).catch((error) => {
        hasFailed = true
        throw error
      })
    }
  }
  await Promise.all(workers.map(workOff))
}
