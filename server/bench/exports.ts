import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { EXPORT_FORMATS, type ExportFormat } from '../src/model/exports.ts'
import { print, printFigure } from './figures.ts'
import { cpuMicros, memoryOf } from './machine.ts'
import { filled, type Service, type Settings, serve } from './service.ts'

const MOST_MB = 250
/** Further exports, one after another: a leak shows in what they leave. */
const REPEATED = 5
/** Threads without work end after half a minute. */
const REST_MS = 35_000
/** The service is at rest if it uses less CPU time in this time. */
const QUIET_MS = 3_000
const QUIET_SHARE = 0.05
const MEGABYTE = 1_048_576

/** Measures the resident memory of exports of the whole list of entries, and what they leave. */
export async function benchExports(settings: Settings): Promise<void> {
  const { large } = settings
  const service = await serve(await filled(settings, large), { env: { EMBEDDINGS: 'off' } })
  await atRest(service)
  printMemory('at rest', service)
  for (const format of EXPORT_FORMATS) {
    const { seconds, bytes } = await exportAll(service, format, large)
    printMemory(`at most during ${large} rows of ${format}`, service)
    print(format, `${Math.round(bytes / MEGABYTE)} MB in ${Math.round(seconds)} s`)
  }
  for (let count = 0; count < REPEATED; count += 1) await exportAll(service, 'parquet', Math.ceil(large / REPEATED))
  printMemory(`at most during ${REPEATED} further exports`, service)
  await delay(REST_MS)
  await atRest(service)
  printMemory('at rest again', service)
  await service.stop()
}

/** Downloads an export and drops its bytes. Returns the seconds and the bytes. */
async function exportAll({ port, headers, child }: Service, format: ExportFormat, limit: number) {
  forgetPeak(child.pid)
  const from = performance.now()
  const path = `/api/v1/export/entries?format=${format}&limit=${limit}`
  const [response] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`an export was answered with ${response.statusCode}`)
  let bytes = 0
  for await (const part of response) bytes += part.length
  return { seconds: (performance.now() - from) / 1_000, bytes }
}

/** Prints the most resident memory since the last export began, and of what kind it is now. */
function printMemory(name: string, { child }: Service): void {
  const { peakMb, residentMb, anonymousMb } = memoryOf(child.pid)
  const isAtRest = name.startsWith('at rest')
  const detail = `now ${Math.round(residentMb)}, ${Math.round(anonymousMb)} anonymous`
  printFigure(name, Math.round(isAtRest ? residentMb : peakMb), 'at most', MOST_MB, { unit: 'MB', detail })
}

/** Starts to measure the most resident memory anew. */
const forgetPeak = (pid: number | undefined) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Waits until the service has done what a start, or new data, gives it to do. */
async function atRest({ child }: Service): Promise<void> {
  for (let used = cpuMicros(child.pid); ; ) {
    await delay(QUIET_MS)
    const now = cpuMicros(child.pid)
    if (now - used < QUIET_SHARE * QUIET_MS * 1_000) return
    used = now
  }
}
