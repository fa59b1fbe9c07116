/** What the bench tells the processes that it starts, one order at a time, and what these answer. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export function startProcess(file: string, options: { env?: Record<string, string>; flags?: string[] } = {}) {
  return fork(join(import.meta.dirname, file), {
    env: { ...process.env, ...options.env },
    execArgv: options.flags ?? [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

/** Gives the answer; fails when the process ends instead. */
export function order<Order extends object, Answer>(child: ChildProcess, given: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a process of the bench has ended'))
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer as Answer)
    })
    child.send(given)
  })
}

export function answerOrders<Order, Answer>(answer: (order: Order) => Promise<Answer>): void {
  process.on('message', async (given: Order) => process.send?.(await answer(given)))
}

/** The same clock for all processes of a machine. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}
