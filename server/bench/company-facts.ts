/** A process that parses generated companyfacts as the service does, and reports what it costs. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { ParseRequest } from '../src/sources/parse-thread.ts'
import { Thread } from '../src/thread.ts'
import { COMPANY_FACTS } from '../test/edgar-answers.ts'
import { answerOrders } from './child-process.ts'
import { residentMb } from './machine.ts'

export interface FactsOrder {
  bytes: number
}

export interface FactsCost {
  memoryMb: number
  blockMs: number
}

const SAMPLE_EVERY_MS = 5
const SETTLE_MS = 200
/** Facts of a concept: years of quarters, as filed and as repeated a year later. */
const FACTS_PER_CONCEPT = 250

answerOrders(async ({ bytes }: FactsOrder): Promise<FactsCost> => {
  const parser = new Thread<ParseRequest, unknown[]>(new URL('../src/sources/parse-thread.ts', import.meta.url), {})
  // The idle service has the thread already.
  await parser.ask({ kind: 'edgar financials', bytes: Buffer.from(COMPANY_FACTS), options: {} })
  await delay(SETTLE_MS)
  const idle = residentMb(process.pid)
  const body = companyFacts(bytes)
  let peak = idle
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMb(process.pid))
  }, SAMPLE_EVERY_MS)
  const blocks = monitorEventLoopDelay({ resolution: 1 })
  await delay(SETTLE_MS)
  blocks.enable()
  const reports = await parser.ask({ kind: 'edgar financials', bytes: body, options: {} })
  await delay(SAMPLE_EVERY_MS)
  blocks.disable()
  clearInterval(sampling)
  if (reports.length === 0) throw new Error('found no reports')
  await parser.close()
  return { memoryMb: peak - idle, blockMs: blocks.max / 1e6 }
})

/** Returns companyfacts of a size. The concepts are written one by one, so that little but the result is in memory. */
function companyFacts(size: number): Buffer {
  const body = Buffer.alloc(size)
  let end = body.write('{"cik":1700000,"entityName":"Pebble Robotics, Inc.","facts":{"us-gaap":{')
  const tail = '}}}'
  for (let number = 0; ; number += 1) {
    const concept = Buffer.from(`${number === 0 ? '' : ','}${conceptOf(number)}`)
    if (end + concept.length + tail.length > size) break
    end += concept.copy(body, end)
  }
  end += body.write(tail, end)
  return body.subarray(0, end)
}

const KNOWN = ['Revenues', 'NetIncomeLoss', 'Assets', 'Liabilities', 'StockholdersEquity']

function conceptOf(number: number): string {
  const facts = Array.from({ length: FACTS_PER_CONCEPT }, (_, index) => {
    const year = 2010 + ((index % 60) >> 2)
    const quarter = index % 4
    const month = (end: number) => String(end).padStart(2, '0')
    return {
      start: `${year}-${month(quarter * 3 + 1)}-01`,
      end: `${year}-${month(quarter * 3 + 3)}-28`,
      val: 1_000_000 * number + index,
      accn: `0001700000-${String(year).slice(2)}-${String(index).padStart(6, '0')}`,
      fy: year,
      fp: `Q${quarter + 1}`,
      form: '10-Q',
      filed: `${year + 1}-01-15`,
    }
  })
  const name = KNOWN[number] ?? `Concept${number}`
  return `"${name}":{"label":"${name}","description":"A figure.","units":{"USD":${JSON.stringify(facts)}}}`
}
