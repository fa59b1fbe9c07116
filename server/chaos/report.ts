import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MAX_RECOVERY_MS } from './fault.ts'
import type { Result } from './faults.ts'

export function printResult(result: Result): void {
  const [name, engine, ...cells] = cellsOf(result)
  process.stdout.write(`${`${name} [${engine}]`.padEnd(34)} ${cells.join('  ')}\n`)
  for (const problem of result.problems) process.stdout.write(`  ${problem}\n`)
}

function cellsOf(result: Result): string[] {
  const { name, engine, tried, wrong, longestRecoveryMs, seconds, note, skipped } = result
  if (skipped !== undefined) return [name, engine, '–', '–', '–', `skipped: ${skipped}`]
  const recovery = longestRecoveryMs === undefined ? '–' : `${(longestRecoveryMs / 1_000).toFixed(2)} s`
  return [name, engine, `${tried}`, `${wrong}`, recovery, `${note === '' ? '' : `${note}; `}${Math.round(seconds)} s`]
}

/** Writes the results as Markdown, with the machine and the options of the run. */
export function writeReport(file: string, run: Record<string, string>, results: readonly Result[]): void {
  const tries = new Map(results.map(({ name, tries }) => [name, tries]))
  const text = [
    '# Chaos',
    `Created by \`npm run chaos\`, which tries each fault on the engines that it concerns and audits the money afterwards. Wrong must be 0, and the service must serve again within ${MAX_RECOVERY_MS / 1_000} seconds after a single fault. \`npm run chaos -- --seed ${run.seed} --only NAME\` repeats the choices of a fault.`,
    Object.entries(run)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n'),
    [
      row(['Fault', 'Engine', 'Tried', 'Wrong', 'Longest recovery', '']),
      row(['---', '---', '---:', '---:', '---:', '---']),
      ...results.map((result) => row(cellsOf(result))),
    ].join('\n'),
    ...problemsOf(results),
    '## What is tried',
    [...tries].map(([name, what]) => `- **${name}**: ${what}`).join('\n'),
  ].join('\n\n')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}

/** Replaces what a report says about some faults, after they were tried again. */
export function renewRows(file: string, { seed }: Record<string, string>, results: readonly Result[]): void {
  let text = readFileSync(file, 'utf8')
  for (const result of results) {
    const { name, engine } = result
    if (result.problems.length > 0) throw new Error(`${name} [${engine}] has failed; the report keeps what it says`)
    const cells = cellsOf(result)
    const renewed = row([...cells.slice(0, -1), `${cells.at(-1)}; seed ${seed}`])
    text = text
      .replace(new RegExp(`^\\| ${name} \\| ${engine} \\|.*$`, 'm'), () => renewed)
      .replaceAll(new RegExp(`^- ${name} \\[${engine}\\]: .*\n`, 'gm'), '')
  }
  writeFileSync(file, text.replace(/^## Problems\n+(?!-)/m, ''))
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function problemsOf(results: readonly Result[]): string[] {
  const lines = results.flatMap(({ name, engine, problems }) =>
    problems.map((problem) => `- ${name} [${engine}]: \`${problem.replaceAll('`', "'")}\``),
  )
  return lines.length === 0 ? [] : ['## Problems', lines.join('\n')]
}
