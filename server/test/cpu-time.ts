/**
 * Starts to count the CPU time of this thread. Returns a function that returns the milliseconds used since: unlike elapsed
 * time, CPU time does not depend on the load of the machine.
 */
export function cpuTimer(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
