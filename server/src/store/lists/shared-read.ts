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
