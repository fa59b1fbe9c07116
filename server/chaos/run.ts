/** `npm run chaos`: does to the service what happens to services, and reports what went wrong. */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeMachine } from '../bench/machine.ts'
import { FAULTS, runFaults } from './faults.ts'
import { printResult, renewRows, writeReport } from './report.ts'

const REPORT = 'docs/reports/chaos.md'
const ENGINES = ['sqlite', 'postgres'] as const

const { values: options } = parseArgs({
  options: {
    /** Repeats the choices of an earlier run. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Names of faults, separated by commas. */
    only: { type: 'string' },
    engine: { type: 'string' },
    rounds: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100000' },
    repeats: { type: 'string', default: '10' },
    /** Where to write the report. A run with --only writes none by default, and renews its rows in an existing one. */
    report: { type: 'string' },
  },
})

const names = options.only?.split(',') ?? FAULTS.map(({ name }) => name)
const unknown = names.filter((name) => !FAULTS.some((fault) => fault.name === name))
if (unknown.length > 0) {
  throw new Error(`unknown fault ${unknown.join(', ')}; there are ${FAULTS.map(({ name }) => name).join(', ')}`)
}

const engines = ENGINES.filter((engine) => engine === (options.engine ?? engine))
if (engines.length === 0) throw new Error(`unknown engine ${options.engine}; there are ${ENGINES.join(', ')}`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

const { seed, rounds, requests, repeats } = options
const run = { ...describeMachine(), seed, rounds, requests, repeats }
for (const [name, value] of Object.entries(run)) process.stdout.write(`${name}: ${value}\n`)
const results = await runFaults({
  names,
  engines,
  seed: Number(seed),
  rounds: Number(rounds),
  requests: Number(requests),
  repeats: Number(repeats),
  onResult: printResult,
})
const report = options.report ?? (options.only === undefined ? REPORT : undefined)
if (report !== undefined && options.only !== undefined && existsSync(report)) renewRows(report, run, results)
else if (report !== undefined) writeReport(report, run, results)
process.exitCode = results.some(({ wrong }) => wrong > 0) ? 1 : 0
