import { createInterface } from 'node:readline/promises'
import { systemClock } from '../clock.ts'
import { type Config, OperatorError, readConfig } from '../config.ts'
import { openDb, StoreInUse } from '../drivers.ts'
import { type Cleared, clearSample } from '../sample/clear.ts'
import { createStore } from '../store/store.ts'
import { adminClient } from './admin-client.ts'
import { stopOnInterrupt } from './interrupt.ts'

/** `mintick sample clear`: removes the sample data, through the running service if it has the store open. */
export async function sampleCommand(args: string[]): Promise<void> {
  const [action, option, extra] = args
  if (action !== 'clear' || (option !== undefined && option !== '--yes') || extra !== undefined) {
    throw new OperatorError('sample needs the action clear: mintick sample clear [--yes]')
  }
  if (option === undefined && !(await isConfirmed())) throw new OperatorError('nothing was removed')
  const config = readConfig()
  const signal = stopOnInterrupt()
  const { isDone, removed } = await clearStore(config, signal).catch((error: unknown) => {
    if (error instanceof StoreInUse) return clearThroughService(config, signal)
    throw error
  })
  process.stdout.write(`${isDone ? 'Removed' : 'Interrupted after'} ${textOf(removed)}\n`)
  if (!isDone) process.exitCode = 130
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new OperatorError('this removes data; confirm it with --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question('Remove all sample data? Your own data stays. [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}

async function clearStore(config: Config, signal: AbortSignal) {
  process.umask(0o077)
  const store = createStore(await openDb(config, systemClock))
  try {
    return await clearSample(store, systemClock.now(), {
      mayGoOn: () => !signal.aborted,
      onPortion: showProgress,
    })
  } finally {
    endProgress()
    await store.close()
  }
}

async function clearThroughService(config: Config, signal: AbortSignal) {
  const api = adminClient(config)
  const total: Cleared = { entries: 0, publishers: 0, markets: 0, predictionMarkets: 0, secRecords: 0, signals: 0 }
  for (;;) {
    const { isDone, removed } = await api<{ isDone: boolean; removed: Cleared }>('POST', '/admin/sample/clear', {})
    for (const name of Object.keys(total) as (keyof Cleared)[]) total[name] += removed[name]
    showProgress(total)
    if (isDone || signal.aborted) {
      endProgress()
      return { isDone, removed: total }
    }
  }
}

const sum = (removed: Cleared) => Object.values(removed).reduce((total: number, count: number) => total + count, 0)

function showProgress(removed: Cleared): void {
  if (process.stderr.isTTY) process.stderr.write(`\rremoved ${sum(removed).toLocaleString('en-US')} records\x1b[K`)
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

function textOf({ entries, publishers, markets, predictionMarkets, secRecords, signals }: Cleared): string {
  return `${entries} entries, ${publishers} publishers, ${markets} markets, ${predictionMarkets} prediction markets, ${secRecords} SEC records and ${signals} signals of the sample`
}
