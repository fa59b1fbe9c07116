import { CATALOGUES } from '../catalogue/load.ts'
import { OperatorError, readConfig } from '../config.ts'
import { LONGEST_SENT, type Noun, openTarget, type Target } from './import-target.ts'
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
/** A request of the service takes a megabyte; an entry that is longer is cut before it is sent. */
const BATCH_BYTES = 500_000
const LONGEST_SENT_BYTES = LONGEST_SENT * 3
const REASONS_SHOWN = 20

/**
 * `mintick import entries FILE`: raw entries, one JSON object a line, through the whole pipeline. In the same way assets,
 * topics and publishers are added and changed.
 */
export async function importCommand(args: string[]): Promise<void> {
  const [what, file, surplus] = args
  const noun = NOUNS.find((one) => one === what)
  if (noun === undefined || file === undefined || surplus !== undefined) {
    throw new OperatorError(`import takes one of ${NOUNS.join(', ')} and a file: mintick import entries FILE.ndjson`)
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
  target: Target,
  signal: AbortSignal,
): Promise<Summary> {
  const summary: Summary = { added: 0, changed: 0, unchanged: 0, refused: [] }
  const progress = new ProgressLine(process.stderr, { total, noun: 'lines' }, () => performance.now())
  // The full text of an entry may be of any length; nothing else that is so long can be right.
  const longestLine = noun === 'entries' ? Infinity : LONGEST_SENT
  for await (const { values, lines, tooLong } of batchesOf(file, longestLine)) {
    if (signal.aborted) break
    for (const line of tooLong) summary.refused.push({ line, reason: `it has more than ${longestLine} characters` })
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
  /** The number of the line of each value. */
  lines: number[]
  tooLong: number[]
}

/** Lines in portions. What is no JSON goes along as undefined, to be refused like anything else that is no record. */
async function* batchesOf(file: string, longestLine: number): AsyncGenerator<Batch> {
  const empty = (): Batch => ({ values: [], lines: [], tooLong: [] })
  let batch = empty()
  let bytes = 0
  for await (const { number, text } of readLines(file)) {
    if (text.length > longestLine) {
      batch.tooLong.push(number)
      continue
    }
    const size = Math.min(Buffer.byteLength(text), LONGEST_SENT_BYTES)
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
  const changes = noun === 'entries' ? '' : ` changed ${changed},`
  const first = `${isStopped ? 'Stopped: added' : 'Added'} ${added} ${noun},${changes} ${unchanged} were there already, ${refused.length} refused\n`
  const reasons = Map.groupBy(refused, ({ reason }) => reason)
  const counted = [...reasons].map(([reason, lines]) => {
    const shown = lines.slice(0, REASONS_SHOWN).map(({ line }) => line)
    const more = lines.length > shown.length ? ' …' : ''
    return `  ${lines.length} because ${reason}: line ${shown.join(', ')}${more}\n`
  })
  const hint =
    added + changed > 0 && (noun === 'assets' || noun === 'topics')
      ? `Entries that are there already are read again by "mintick reindex".\n`
      : ''
  return first + counted.join('') + hint
}
