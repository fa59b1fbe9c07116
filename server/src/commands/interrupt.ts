/** Ctrl-C asks a command to stop at a good place; a second one ends it there and then. */
export function stopOnInterrupt(): AbortSignal {
  const stop = new AbortController()
  process.on('SIGINT', () => {
    // What a second Ctrl-C leaves undone is done when the store is opened again.
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  })
  return stop.signal
}
