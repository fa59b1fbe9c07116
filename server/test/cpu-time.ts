/**
 * Starts to count the CPU time of this thread. Returns a function that says how many milliseconds it has computed since:
 * unlike elapsed time, this does not depend on the other load of the machine.
 */
export function cpuTimer(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
