/** The machine of the run: its cores, its commands, and the counters that Linux keeps of a process. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

const cores = availableParallelism()

export const hasCommand = (command: string, ...args: string[]) => spawnSync(command, args).error === undefined

const canPin = cores > 1 && ['0', '1'].every((core) => spawnSync('taskset', ['-c', core, 'true']).status === 0)

/** Each side has its own cores, so that the client takes no time from the server. */
const CORES = { server: '0', client: cores > 2 ? `1-${cores - 1}` : '1' }

/** Returns the command line that runs a command on the cores of its side, where the machine allows it. */
export function pinned(side: keyof typeof CORES, command: string, args: readonly string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', CORES[side], command, ...args]] : [command, [...args]]
}

/** The number of cores that the client may use. */
export const clientCores = Math.max(1, cores - 1)

/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROS = 10_000

/** Returns the CPU time that all threads of a process have used. */
export function cpuMicros(pid: number | undefined): number {
  return ticksOf(pid, 11) * TICK_MICROS
}

/** Returns the CPU time of the processes that a process has started, whether they still run or have ended. */
export function childrenMicros(pid: number | undefined): number {
  let micros = ticksOf(pid, 13) * TICK_MICROS
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')) {
    try {
      micros += cpuMicros(Number(child))
    } catch {
      // One that ends meanwhile counts among the ended ones of the next reading.
    }
  }
  return micros
}

/** Returns the sum of two counters of a process, for the user and for the system. */
function ticksOf(pid: number | undefined, place: number): number {
  // The second field, the name of the command, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  const [user, system] = fields.slice(place, place + 2)
  return Number(user) + Number(system)
}

/** Returns the resident memory of a process: now, at most, and the part of it that is not in files. */
export function memoryOf(pid: number | undefined): { residentMb: number; peakMb: number; anonymousMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM'), anonymousMb: megabytes('RssAnon') }
}

export const residentMb = (pid: number | undefined): number => memoryOf(pid).residentMb

/** Returns a function that tells which share of the CPU time the host has given to other machines since this call. */
export function watchSteal(): () => number {
  const read = () => {
    const [times = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const ticks = times.split(/ +/).slice(1, 9).map(Number)
    return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, value) => sum + value, 0) }
  }
  const before = read()
  return () => {
    const now = read()
    return (now.stolen - before.stolen) / (now.all - before.all)
  }
}

/** Describes the machine and the versions, for the head of a report. */
export function describeMachine(): Record<string, string> {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL(import.meta.resolve('fastify/package.json')), 'utf8'),
  )
  return {
    processor: `${cpus()[0]?.model ?? 'unknown'}, ${cores} cores`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    'load before the run': (loadavg()[0] ?? 0).toFixed(1),
    system: `${type()} ${release()}`,
    node: process.version,
    fastify: version,
  }
}

/** Describes how the bench uses the machine. */
export function describeBench(client: string): Record<string, string> {
  return {
    client,
    cores: canPin ? `server on core ${CORES.server}, client on core ${CORES.client}` : 'not pinned',
  }
}
