import { CATALOGUES } from '../catalogue/load.ts'
import { OperatorError, readConfig } from '../config.ts'
import { type ImportTarget, MAX_SENT_LENGTH, type Noun, openTarget } from './import-target.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { countLines, parseLine, readLines } from './ndjson.ts'
import { ProgressLine } from './progress.ts'

interface Summary {
  added: number
  changed: number
  unchanged: number
  refused: { line: number; reason: string }[]
}

const NOUNS: readonly Noun[] = ['entries', ...CATALOGUES]
const BATCH_LINES = 200
/** A request body is limited to 1 MB; longer texts are cut before they are sent. */
const BATCH_BYTES = 500_000
const MAX_SENT_BYTES = MAX_SENT_LENGTH * 3
const MAX_LINES_SHOWN = 20

/**
 * `mintick import entries FILE`: adds raw entries, one JSON object per line. `import assets`, `topics` and `publishers`
 * add and change catalogue records in the same way.
 */
export async function importCommand(args: string[]): Promise<void> {
  const [what, file, extra] = args
  const noun = NOUNS.find((one) => one === what)
  if (noun === undefined || file === undefined || extra !== undefined) {
    throw new OperatorError(
      `import needs one of ${NOUNS.join(', ')} and a file, such as: mintick import entries FILE.ndjson`,
    )
  }
  const total = await countLines(file)
  const signal = stopOnInterrupt()
  const target = await openTarget(readConfig(), noun)
  try {
    const summary = await importFile(file, total, noun, target, signal)
    process.stdout.write(summaryText(noun, summary, signal.aborted))
    if (!signal.aborted) await target.finish(signal)
    const taken = summary.added + summary.changed + summary.unchanged
    if (signal.aborted) process.exitCode = 130
    else if (taken === 0 && summary.refused.length > 0) process.exitCode = 1
  } finally {
    await target.close()
  }
}

async function importFile(
  file: string,
  total: number,
  noun: Noun,
  target: ImportTarget,
  signal: AbortSignal,
): Promise<Summary> {
  const summary: Summary = { added: 0, changed: 0, unchanged: 0, refused: [] }
  const progress = new ProgressLine(process.stderr, { total, noun: 'lines' }, () => performance.now())
  // Entries may have full texts of any length; a catalogue record of this length is a mistake.
  const maxLength = noun === 'entries' ? Infinity : MAX_SENT_LENGTH
  for await (const { values, lines, tooLong } of readBatches(file, maxLength)) {
    if (signal.aborted) break
    for (const line of tooLong) summary.refused.push({ line, reason: `it has more than ${maxLength} characters` })
    if (values.length === 0) continue
    const { added, changed, unchanged, refused } = await target.take(values)
    summary.added += added
    summary.changed += changed
    summary.unchanged += unchanged
    summary.refused.push(...refused.map(({ index, reason }) => ({ line: lines[index] ?? 0, reason })))
    if (total > 0) progress.at(lines.at(-1) ?? total)
  }
  progress.end()
  return summary
}

interface Batch {
  values: unknown[]
  /** The line number of each value. */
  lines: number[]
  tooLong: number[]
}

/** Reads a file in batches. A line that is not JSON becomes undefined, which the target refuses with a reason. */
async function* readBatches(file: string, maxLength: number): AsyncGenerator<Batch> {
  const empty = (): Batch => ({ values: [], lines: [], tooLong: [] })
  let batch = empty()
  let bytes = 0
  for await (const { number, text } of readLines(file)) {
    if (text.length > maxLength) {
      batch.tooLong.push(number)
      continue
    }
    const size = Math.min(Buffer.byteLength(text), MAX_SENT_BYTES)
    if (batch.values.length === BATCH_LINES || (bytes > 0 && bytes + size > BATCH_BYTES)) {
      yield batch
      batch = empty()
      bytes = 0
    }
    batch.values.push(parseLine(text))
    batch.lines.push(number)
    bytes += size
  }
  yield batch
}

function summaryText(noun: Noun, { added, changed, unchanged, refused }: Summary, isStopped: boolean): string {
  const counts = noun === 'entries' ? `${unchanged} already existed` : `${changed} changed, ${unchanged} unchanged`
  const first = `${isStopped ? 'Interrupted: added' : 'Added'} ${added} ${noun}; ${counts}, ${refused.length} refused\n`
  const reasons = Map.groupBy(refused, ({ reason }) => reason)
  const counted = [...reasons].map(([reason, lines]) => {
    const shown = lines.slice(0, MAX_LINES_SHOWN).map(({ line }) => line)
    const more = lines.length > shown.length ? ' …' : ''
    return `  ${lines.length} because ${reason}: line ${shown.join(', ')}${more}\n`
  })
  const hint =
    added + changed > 0 && (noun === 'assets' || noun === 'topics')
      ? 'Run "mintick reindex" to apply this to existing entries.\n'
      : ''
  return first + counted.join('') + hint
}
