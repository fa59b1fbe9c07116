/**
 * Runs `work` every `ms` milliseconds until stopped, one run at a time. A failed run is reported and does not end the
 * series.
 */
export function every(ms: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined
  const run = () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(run, ms)
  timer.unref()
  return {
    /** Starts a run now unless one is in progress. */
    run,
    /** Stops the series and waits for a run in progress. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
