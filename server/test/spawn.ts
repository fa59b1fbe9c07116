/** Runs the service in its own process, so that tests can kill it. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const LAUNCHER = join(import.meta.dirname, '../bin/mintick.js')

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a process that does not outlive this one. */
export function spawnOwned(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Starts the service. `wrap` may run its command through another one and gives it a message channel. */
export async function spawnService(
  env: Record<string, string>,
  wrap?: (command: string, args: readonly string[]) => [string, string[]],
): Promise<{ child: ChildProcess; url: string }> {
  // Started as npm starts it: the shebang line finds the Node that runs this file.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const [command, args] = wrap?.(LAUNCHER, ['serve']) ?? [LAUNCHER, ['serve']]
  const child = spawnOwned(command, args, {
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'inherit', ...(wrap === undefined ? [] : ['ipc' as const])],
  })
  return { child, url: await ready(child) }
}

/** Waits for the line with the service's address and returns the address; discards later output. */
export function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      if (output.length < 10_000) output += chunk
      const url = /ready at (\S+)/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(`the service did not start: ${output}`)))
  })
}

/** Kills a process with SIGKILL: no handler runs, nothing is flushed. */
export async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts the service at a known port, with its output wherever a test wants it. Resolves once it answers. */
export async function spawnServiceInto(
  stdout: 'pipe' | number,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const child = spawnOwned(process.execPath, [LAUNCHER, 'serve'], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', stdout, 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    if (await isListening(port)) return { child, url }
    await delay(50)
  }
}

/**
 * Returns a port that nobody listens on. The system gives clients the ports from 32768 on; below, none of them takes the
 * port while a service restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.end())
  })
}

/** Runs a command of the launcher. */
export function spawnCommand(env: Record<string, string>, ...args: string[]): ChildProcess {
  return spawnOwned(process.execPath, [LAUNCHER, ...args], { env: { ...process.env, ...env } })
}

/** Waits for the first progress line, printed after the first batch is stored. */
export async function firstLine(child: ChildProcess): Promise<void> {
  if (child.stderr !== null) await once(child.stderr, 'data')
}

export async function finished(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  if (child.exitCode === null) await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
