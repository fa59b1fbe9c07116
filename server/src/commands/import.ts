import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError, readConfig } from '../config.ts'
import { IMPORTABLES, RESOURCE_NAMES, type ResourceName } from '../import/resources.ts'
import { ImportReport } from './import-report.ts'
import { countLines, type Row, readRows } from './import-rows.ts'
import { type ImportTarget, openTarget } from './import-target.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { ProgressLine } from './progress.ts'

interface Command {
  name: ResourceName
  file: string
  update: boolean
  rejectsFile: string
  /** Fields for rows that do not have them. */
  defaults: Record<string, string>
}

/** `mintick import RESOURCE FILE`: adds an operator's own records from NDJSON or CSV. */
export async function importCommand(args: string[]): Promise<void> {
  const command = readCommand(args)
  const { name, file } = command
  const total = await countLines(file)
  const signal = stopOnInterrupt()
  const target = await openTarget(readConfig(), name)
  try {
    const report = new ImportReport(command.rejectsFile)
    await importFile(command, target, report, { total, signal })
    process.stdout.write(report.text(IMPORTABLES[name].noun, signal.aborted) + hintOf(name, report))
    if (!signal.aborted) await target.finish(signal)
    if (signal.aborted) process.exitCode = 130
    else if (report.taken === 0) process.exitCode = 1
  } finally {
    await target.close()
  }
}

function readCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      update: { type: 'boolean', default: false },
      rejects: { type: 'string' },
      dataset: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
    },
  })
  const [what, file, extra] = positionals
  const name = RESOURCE_NAMES.find((one) => one === what)
  if (name === undefined || file === undefined || extra !== undefined) {
    throw new OperatorError(
      `import needs one of ${RESOURCE_NAMES.join(', ')} and a file, such as: mintick import entries FILE.ndjson`,
    )
  }
  const rejectsFile = values.rejects ?? `${file === '-' ? name : file}.rejects.ndjson`
  if (resolve(rejectsFile) === resolve(file)) throw new OperatorError('--rejects must not be the imported file')
  const set = values.dataset === undefined ? values.set : [...values.set, `dataset=${values.dataset}`]
  return { name, file, update: values.update, rejectsFile, defaults: Object.fromEntries(set.map(readSetting)) }
}

function readSetting(text: string): [string, string] {
  const [, field, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (field === undefined || value === undefined) {
    throw new OperatorError('--set needs a field and a value, such as: --set symbol=BTC-USD')
  }
  return [field, value]
}

async function importFile(
  { name, file, update, defaults }: Command,
  target: ImportTarget,
  report: ImportReport,
  { total, signal }: { total: number; signal: AbortSignal },
): Promise<void> {
  const progress = new ProgressLine(process.stderr, { total, noun: 'lines' }, () => performance.now())
  const take = async (rows: readonly Row[]) => {
    const { refused, ...outcome } = await target.take(
      rows.map(({ value }) => value),
      { update },
    )
    report.add(outcome)
    report.reject(
      refused.map(({ index, ...reasons }) => ({
        line: rows[index]?.line ?? 0,
        ...reasons,
        row: rows[index]?.value ?? null,
      })),
    )
    if (total > 0) progress.at(rows.at(-1)?.line ?? total)
  }
  const batch = new Batch(target.limits)
  try {
    for await (const rows of readRows(file, (columns) => checkColumns(name, columns, defaults))) {
      for (const row of rows) {
        const problem = row.problem ?? batch.problemOf(row)
        if (problem !== undefined) {
          report.reject([{ line: row.line, reason: problem, field: null, value: null, row: row.value }])
          continue
        }
        if (!batch.hasRoom(row)) await take(batch.takeAll())
        if (signal.aborted) return
        batch.add({ ...row, value: withDefaults(row.value, defaults) })
      }
    }
    if (batch.size > 0) await take(batch.takeAll())
  } finally {
    progress.end()
    report.close()
  }
}

/** The rows that are sent together. */
class Batch {
  readonly #limits: ImportTarget['limits']
  #rows: Row[] = []
  #bytes = 0

  constructor(limits: ImportTarget['limits']) {
    this.#limits = limits
  }

  get size(): number {
    return this.#rows.length
  }

  problemOf({ size }: Row): string | undefined {
    const isTooLarge = size > this.#limits.maxRowBytes
    return isTooLarge ? 'it is too large for a request; stop the service and import it again' : undefined
  }

  hasRoom({ size }: Row): boolean {
    const { rows, bytes } = this.#limits
    return this.#rows.length === 0 || (this.#rows.length < rows && this.#bytes + size <= bytes)
  }

  add(row: Row): void {
    this.#rows.push(row)
    this.#bytes += row.size
  }

  takeAll(): Row[] {
    const rows = this.#rows
    this.#rows = []
    this.#bytes = 0
    return rows
  }
}

function withDefaults(value: unknown, defaults: Record<string, string>): unknown {
  const isRow = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRow && Object.keys(defaults).length > 0 ? { ...defaults, ...value } : value
}

/** A file without a header would lose its first row, and all others would be refused. */
function checkColumns(name: ResourceName, columns: readonly string[], defaults: Record<string, string>): void {
  const { given } = IMPORTABLES[name].fieldsOf(defaults)
  if (columns.some((column) => given.has(column.split('.')[0] ?? ''))) return
  throw new OperatorError(
    `the first line has no field of ${IMPORTABLES[name].noun}; it must name the columns, such as ${Object.keys(IMPORTABLES[name].example).join(',')}`,
  )
}

function hintOf(name: ResourceName, { counts }: ImportReport): string {
  const isApplied = name === 'assets' || name === 'topics'
  return isApplied && counts.added + counts.changed > 0
    ? 'Run "mintick reindex" to apply this to existing entries.\n'
    : ''
}
