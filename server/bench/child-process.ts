/** Request and response messages between the bench and its child processes, one at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export function startProcess(file: string, options: { env?: Record<string, string>; flags?: string[] } = {}) {
  return fork(join(import.meta.dirname, file), {
    env: { ...process.env, ...options.env },
    execArgv: options.flags ?? [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

/** Sends a request and returns the response; fails if the process exits. */
export function order<Order extends object, Answer>(child: ChildProcess, given: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a bench process exited'))
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

/** Returns a time that all processes of the machine share. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}
