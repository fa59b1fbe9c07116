import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { OperatorError } from '../config.ts'
import type { ImportOutcome, UnknownField } from '../import/importable.ts'

/** A row that was not imported. */
export interface Rejected {
  line: number
  reason: string
  field: string | null
  value: string | null
  row: unknown
}

const SHOWN_REASONS = 12
const SHOWN_LINES = 5
const SHOWN_FIELDS = 8
/** Further reasons are counted together. */
const MAX_REASONS = 1_000

interface Reason {
  count: number
  lines: number[]
  value: string | null
}

/** Collects the outcome of an import. All rejected rows go into a file, which exists only if there are any. */
export class ImportReport {
  readonly counts = { added: 0, changed: 0, known: 0, rejected: 0 }
  readonly #file: string
  readonly #reasons = new Map<string, Reason>()
  readonly #unknown = new Map<string, UnknownField>()
  /** The descriptor of the rejects file. */
  #output: number | undefined

  constructor(rejectsFile: string) {
    this.#file = rejectsFile
    this.#access(() => rmSync(rejectsFile, { force: true }))
  }

  get taken(): number {
    const { added, changed, known } = this.counts
    return added + changed + known
  }

  add({ added, changed, known, unknownFields }: Omit<ImportOutcome, 'refused'>): void {
    this.counts.added += added
    this.counts.changed += changed
    this.counts.known += known
    for (const field of unknownFields) {
      const before = this.#unknown.get(field.field)
      this.#unknown.set(field.field, { ...field, rows: field.rows + (before?.rows ?? 0) })
    }
  }

  reject(rows: readonly Rejected[]): void {
    for (const row of rows) {
      this.counts.rejected += 1
      const name = this.#reasons.has(row.reason) || this.#reasons.size < MAX_REASONS ? row.reason : 'other reasons'
      const reason = this.#reasons.get(name) ?? { count: 0, lines: [], value: row.value }
      reason.count += 1
      if (reason.lines.length < SHOWN_LINES) reason.lines.push(row.line)
      this.#reasons.set(name, reason)
      this.#access(() => {
        this.#output ??= openSync(this.#file, 'w', 0o600)
        writeSync(this.#output, `${JSON.stringify(row)}\n`)
      })
    }
  }

  close(): void {
    if (this.#output !== undefined) closeSync(this.#output)
  }

  #access(work: () => void): void {
    try {
      work()
    } catch (error) {
      throw new OperatorError(`cannot write ${this.#file} (${error instanceof Error ? error.message : error})`)
    }
  }

  text(noun: string, isStopped: boolean): string {
    const { added, changed, known, rejected } = this.counts
    const lines = [
      `${isStopped ? 'Interrupted: added' : 'Added'} ${added} ${noun}; ${changed} changed, ${known} already there, ${rejected} rejected`,
      ...this.#reasonLines(),
      ...(rejected > 0 ? [`All rejected rows are in ${this.#file}`] : []),
      ...this.#unknownLines(),
    ]
    return `${lines.join('\n')}\n`
  }

  #reasonLines(): string[] {
    const reasons = [...this.#reasons].sort(([, a], [, b]) => b.count - a.count)
    const shown = reasons.slice(0, SHOWN_REASONS).map(([reason, { count, lines, value }]) => {
      const example = value === null ? '' : `, such as ${value}`
      const more = count > lines.length ? ' …' : ''
      return `  ${count} because ${reason}${example}: line ${lines.join(', ')}${more}`
    })
    const left = reasons.length - shown.length
    return left > 0 ? [...shown, `  … and ${left} other reasons`] : shown
  }

  #unknownLines(): string[] {
    const fields = [...this.#unknown.values()].sort((a, b) => b.rows - a.rows)
    const shown = fields.slice(0, SHOWN_FIELDS).map(({ field, rows, suggestion }) => {
      const hint = suggestion === null ? '' : `; did you mean "${suggestion}"?`
      return `The field "${field}" is not known and was ignored in ${rows} ${rows === 1 ? 'row' : 'rows'}${hint}`
    })
    const left = fields.length - shown.length
    return left > 0 ? [...shown, `… and ${left} other unknown fields`] : shown
  }
}
