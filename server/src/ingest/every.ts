/** Runs `work` every so often, never twice at once, until it is stopped; what fails is reported and tried again. */
export function every(ms: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, ms)
  timer.unref()
  return {
    /** Resolves when nothing is running any more. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
