/** Returns a function that calls `read` on the first call and returns its result from then on; a failure is not kept. */
export function lazily<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= read().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
