/** Drives load from processes of its own, so that the bench does not share a core with the server. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientCores, hasCommand, pinned } from './machine.ts'

/** GET requests, sequential per connection, over the paths in turn. */
export interface Load {
  port: number
  paths: readonly string[]
  authorization: string
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

/** Sends as many requests as the server answers. */
export function saturate(load: Load): Promise<LoadResult> {
  return CLIENT === 'wrk' ? saturateWithWrk(load) : runClient('autocannon-client.ts', { ...load, workers: clientCores })
}

/** Sends requests at an even rate. Latencies count from the moment a request was due. */
export function atRate(load: Load & { rate: number }): Promise<LoadResult> {
  return runClient('rate-client.ts', load)
}

async function saturateWithWrk({ port, paths, authorization, connections, seconds }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-wrk-'))
  const pathsFile = join(folder, 'paths')
  writeFileSync(pathsFile, paths.join('\n'))
  const script = join(import.meta.dirname, 'wrk.lua')
  const header = `authorization: ${authorization}`
  const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-H', header, '-s', script]
  const output = await run('wrk', [...options, `http://127.0.0.1:${port}`, '--', pathsFile], seconds)
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
