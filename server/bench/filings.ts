import { parseFiling } from '../src/sources/edgar/filing-rows.ts'
import { OWNERSHIP } from '../test/edgar-answers.ts'
import { order, startProcess } from './child-process.ts'
import type { FactsCost, FactsOrder } from './company-facts.ts'
import { printFigure } from './figures.ts'

const FILINGS = 3_000
const FACTS_BYTES = 15_000_000

/** Measures parsing of files of EDGAR: Form 4, and the facts of a large company. */
export async function benchFilings(): Promise<void> {
  measureForm4()
  await measureFacts()
}

function measureForm4(): void {
  const filings = Array.from({ length: 100 }, (_, number) =>
    Buffer.from(OWNERSHIP.replaceAll('000042', String(number).padStart(6, '0'))),
  )
  const run = (count: number) => {
    for (let done = 0; done < count; done += 1) parseFiling(filings[done % filings.length] ?? Buffer.alloc(0))
  }
  run(FILINGS / 10)
  const before = process.cpuUsage()
  run(FILINGS)
  const { user, system } = process.cpuUsage(before)
  printFigure('Form 4 filings parsed, one core', FILINGS / ((user + system) / 1e6), 'at least', 300, {
    unit: 'per second',
  })
}

/** Uses a process of its own, whose memory nothing else has grown. */
async function measureFacts(): Promise<void> {
  const child = startProcess('company-facts.ts')
  const { memoryMb, blockMs } = await order<FactsOrder, FactsCost>(child, { bytes: FACTS_BYTES })
  child.kill()
  const size = `${FACTS_BYTES / 1e6} MB of companyfacts`
  printFigure(`${size}, memory above idle`, memoryMb, 'at most', 150, { unit: 'MB' })
  printFigure(`${size}, longest block of the main thread`, blockMs, 'at most', 20, { unit: 'ms' })
}
