/** Returns a function whose concurrent calls share a read, which begins after all of them: none gets an older result. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const reading = read()
      running = reading.catch(() => {})
      return reading
    })
    return next
  }
}

/** Returns a function that reads a value by its key; concurrent calls share a read of all their keys, as above. */
export function batchedRead<Key, Value>(
  read: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const keys = new Set<Key>()
  const readAll = sharedRead(() => {
    const batch = [...keys]
    keys.clear()
    return read(batch)
  })
  return async (key) => {
    keys.add(key)
    return (await readAll()).get(key)
  }
}
