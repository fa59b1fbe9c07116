/** Drives load from processes of its own, so that the bench does not share a core with the server. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientCores, hasCommand, pinned } from './machine.ts'

/** GET requests, sequential per connection, over the paths and the keys in turn. */
export interface Load {
  port: number
  paths: readonly string[]
  authorizations: readonly string[]
  connections: number
  seconds: number
}

export interface LoadResult {
  requests: number
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  failures: number
}

export const CLIENT = hasCommand('wrk', '-v') ? 'wrk' : 'autocannon'
const SPARE_SECONDS = 60

/** Returns as many requests as there are paths or keys. */
export function turnsOf({ paths, authorizations }: Pick<Load, 'paths' | 'authorizations'>) {
  return Array.from({ length: Math.max(paths.length, authorizations.length) }, (_, turn) => ({
    path: paths[turn % paths.length] ?? '',
    authorization: authorizations[turn % authorizations.length] ?? '',
  }))
}

/** Sends as many requests as the server answers. */
export function saturate(load: Load): Promise<LoadResult> {
  return CLIENT === 'wrk' ? saturateWithWrk(load) : runClient('autocannon-client.ts', { ...load, workers: clientCores })
}

/** Sends requests at an even rate. Latencies count from the moment a request was due. */
export function atRate(load: Load & { rate: number }): Promise<LoadResult> {
  return runClient('rate-client.ts', load)
}

async function saturateWithWrk({ port, connections, seconds, ...requests }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-wrk-'))
  const file = join(folder, 'requests')
  writeFileSync(
    file,
    turnsOf(requests)
      .map(({ path, authorization }) => `${path}\t${authorization}`)
      .join('\n'),
  )
  const script = join(import.meta.dirname, 'wrk.lua')
  const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script]
  const output = await run('wrk', [...options, `http://127.0.0.1:${port}`, '--', file], seconds)
  rmSync(folder, { recursive: true })
  const { seconds: elapsed, ...result } = JSON.parse(output.trim().split('\n').at(-1) ?? '')
  return { ...result, requestsPerSecond: result.requests / elapsed }
}

async function runClient(file: string, load: Load & { rate?: number; workers?: number }): Promise<LoadResult> {
  return JSON.parse(await run(process.execPath, [join(import.meta.dirname, file), JSON.stringify(load)], load.seconds))
}

async function run(command: string, args: readonly string[], seconds: number): Promise<string> {
  const timeout = (seconds + SPARE_SECONDS) * 1_000
  return (await promisify(execFile)(...pinned('client', command, args), { timeout })).stdout
}
