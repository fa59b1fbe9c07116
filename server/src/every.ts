/** Runs `work` every so often, never twice at once, until it is stopped; what fails is reported and tried again. */
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
    /** Does not wait for its time. */
    run,
    /** Resolves when nothing is running any more. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
