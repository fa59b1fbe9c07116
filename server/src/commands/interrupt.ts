/** Returns a signal that the first Ctrl-C aborts. A second Ctrl-C ends the process at once. */
export function stopOnInterrupt(): AbortSignal {
  const stop = new AbortController()
  process.on('SIGINT', () => {
    // Safe: the store finishes interrupted work when it is opened again.
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  })
  return stop.signal
}
