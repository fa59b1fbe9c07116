/** Runs the service as a process of its own, to be killed without warning. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'

const LAUNCHER = join(import.meta.dirname, '../bin/mintick.js')

export async function spawnService(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  // Started as npm starts it: by its first line, which finds the Node that runs this.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const child = spawn(LAUNCHER, ['serve'], {
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, url: await ready(child) }
}

/** Waits for the line that says where a service listens; what it prints afterwards is thrown away. */
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

/** kill -9: no handler runs, nothing is flushed. */
export async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
