import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect, styleText } from 'node:util'

const SLOWEST = 10
const GRACE_MS = 10_000

/** Reports a run of all tests: failures in full, then the skipped tests, the slowest files and the counts. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names = new Map<string, string>()
  const files = new Map<string, string>()
  const secondsByFile = new Map<string, number>()
  const skipped = new Map<string, number>()
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      const parent = names.get(`${data.entryFile} ${data.parentId}`)
      names.set(`${data.entryFile} ${data.testId}`, parent === undefined ? data.name : `${parent} > ${data.name}`)
    } else if (type === 'test:stderr') {
      yield data.message
    } else if (type === 'test:pass' || type === 'test:fail') {
      // Suites declared by the harness are attributed to the file of their tests.
      const file = files.get(`${data.entryFile} ${data.testId}`) ?? relative('.', data.file ?? '')
      files.set(`${data.entryFile} ${data.parentId}`, file)
      const seconds = data.details.duration_ms / 1_000
      if (data.nesting === 0) secondsByFile.set(file, (secondsByFile.get(file) ?? 0) + seconds)
      if (typeof data.skip === 'string') skipped.set(data.skip, (skipped.get(data.skip) ?? 0) + 1)
      if (type === 'test:fail') {
        const name = names.get(`${data.entryFile} ${data.testId}`) ?? data.name
        yield failure(`${file}:${data.line}`, name, seconds, data.details.error)
      }
    } else if (type === 'test:summary' && data.file === undefined) {
      for (const [reason, count] of skipped) yield `${count} skipped: ${reason}\n`
      const slowest = [...secondsByFile].sort(([, a], [, b]) => b - a).slice(0, SLOWEST)
      yield 'Slowest files:\n'
      for (const [file, seconds] of slowest) yield `${seconds.toFixed(1).padStart(7)} s  ${file}\n`
      const { tests, passed, skipped: notRun, todo } = data.counts
      const total = `${tests} tests: ${passed} passed, ${tests - passed - notRun - todo} failed, ${notRun} skipped`
      const minutes = `${Math.floor(data.duration_ms / 60_000)} min ${Math.round((data.duration_ms / 1_000) % 60)} s`
      yield `${styleText(data.success ? 'green' : 'red', total)} in ${minutes}\n`
      // The run waits for its output to close, which a process that a test left running keeps open.
      setTimeout(() => process.exit(), GRACE_MS).unref()
    }
  }
}

/** Formats a failure. Returns an empty string for a suite that fails only because of its tests, reported separately. */
function failure(place: string, name: string, seconds: number, error: Error): string {
  const { failureType, cause } = error as Error & { failureType?: string }
  if (failureType === 'subtestsFailed') return ''
  const title = styleText('red', `✖ ${name}`)
  return `\n${title} (${seconds.toFixed(1)} s)\n  ${place}\n${inspect(cause ?? error, { colors: process.stdout.isTTY })}\n\n`
}
