/** Returns the milliseconds of CPU time that `work` takes: other than elapsed time, it does not depend on a machine's load. */
export function cpuMilliseconds(work: () => void): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
