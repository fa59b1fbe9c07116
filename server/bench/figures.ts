/** Prints the figures of a run, collects them for a report, and compares them with those of an earlier run. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

type Bound = 'at least' | 'at most'

interface Figure {
  name: string
  value: number
  /** Empty for a ratio. */
  unit: string
  bound: Bound
  /** 0 if there is none; the ratio is still compared with earlier runs. */
  target: number
}

interface Table {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

/** A section as it was measured last, and on what. */
interface Section {
  name: string
  machine: Record<string, string>
  figures: Figure[]
  tables: Table[]
}

/**
 * A ratio that is worse by more than this share is a regression. Ratios of the same code differ from run to run: the size
 * of group commits depends on timing, and a round counts only a hundred ticks of CPU time. Other load on the machine moves
 * them by more than this share, so that a comparison needs an idle machine.
 */
const TOLERANCE = 0.25

/** The sections of this run. */
const sections: Section[] = []
let lines: string[][] = []

export function startSection(name: string, machine: Record<string, string>): void {
  lines = []
  sections.push({ name, machine, figures: [], tables: [{ columns: ['', '', 'target'], rows: lines }] })
  process.stdout.write(`\n${name}\n`)
}

export function print(name: string, value: string): void {
  lines.push([name, value, ''])
  process.stdout.write(`  ${name.padEnd(66)} ${value}\n`)
}

/** Prints a figure beside its target and whether the target is met. Without a unit it is a ratio. */
export function printFigure(
  name: string,
  value: number,
  bound: Bound,
  target: number,
  { unit = '', detail = '' }: { unit?: string; detail?: string } = {},
): void {
  const shown = unit === '' ? value.toFixed(2) : `${Math.round(value * 10) / 10} ${unit}`
  const wanted = `${bound} ${target}${unit && ` ${unit}`}${record(name, value, bound, target, unit)}`
  lines.push([detail === '' ? name : `${name} (${detail})`, shown, wanted])
  process.stdout.write(`  ${name.padEnd(44)} ${detail.padStart(21)} ${shown.padEnd(12)} ${wanted}\n`)
}

/** Adds a figure to the saved ones and returns the mark of a missed target. */
export function record(name: string, value: number, bound: Bound, target: number, unit = ''): string {
  sections.at(-1)?.figures.push({ name, value: Number(value.toPrecision(4)), unit, bound, target })
  const isMet = bound === 'at least' ? value >= target : value <= target
  return isMet ? '' : '   MISSED'
}

/** Prints rows as they come, the first column to the left and the others to the right. */
export function startTable(columns: readonly string[]): (row: readonly string[]) => void {
  const rows: (readonly string[])[] = []
  sections.at(-1)?.tables.push({ columns, rows })
  const printRow = ([first = '', ...rest]: readonly string[]) => {
    const cells = rest.map((cell, place) => cell.padStart((columns[place + 1] ?? '').length + 2))
    process.stdout.write(`  ${first.padEnd(34)}${cells.join('')}\n`)
  }
  printRow(columns)
  return (row) => {
    rows.push(row)
    printRow(row)
  }
}

/** Adds the share of CPU time that the section did not get from the host: with much of it, latencies mean little. */
export function endSection(stolen: number): void {
  const text = `${Math.round(stolen * 100)} % of CPU time stolen by the host`
  Object.assign(sections.at(-1)?.machine ?? {}, { stolen: text })
  process.stdout.write(`  ${text}\n`)
}

/** Writes the sections of this run as JSON; sections of the file that were not measured now stay. */
export function saveSections(file: string, order: readonly string[]): void {
  const saved = existsSync(file) ? readSections(file) : []
  const all = [...saved.filter(({ name }) => !isMeasured(name)), ...sections]
  all.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  write(file, JSON.stringify(all, null, 2))
}

const isMeasured = (name: string) => sections.some((section) => section.name === name)

/** Returns the sections that earlier runs have saved. */
export const readSections = (file: string): Section[] => JSON.parse(readFileSync(file, 'utf8'))

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}

/**
 * Prints the ratios that are worse than the saved ones and returns their number. Other figures are not compared: they
 * depend on the machine.
 */
export function compareWith(saved: readonly Section[]): number {
  const ratiosOf = (list: readonly Section[]) =>
    list.flatMap(({ name, figures }) =>
      figures.filter(({ unit }) => unit === '').map((figure) => ({ ...figure, key: `${name}: ${figure.name}` })),
    )
  const before = new Map(ratiosOf(saved).map(({ key, value }) => [key, value]))
  const ratios = ratiosOf(sections).filter(({ key }) => before.has(key))
  process.stdout.write('\nregressions\n')
  let count = 0
  for (const { key, bound, value } of ratios) {
    const old = before.get(key) ?? Number.NaN
    const change = bound === 'at least' ? old / value : value / old
    if (change <= 1 + TOLERANCE) continue
    count += 1
    process.stdout.write(`  ${key.padEnd(66)} ${old.toFixed(2)} → ${value.toFixed(2)}\n`)
  }
  process.stdout.write(`  ${count} of ${ratios.length} ratios are worse by more than ${TOLERANCE * 100} %\n`)
  return count
}

/** Writes saved sections as Markdown. */
export function writeReport(file: string, saved: string): void {
  const parts = readSections(saved).map(({ name, machine, tables }) =>
    [
      `## ${name}`,
      Object.values(machine).join('; '),
      ...tables.filter(({ rows }) => rows.length > 0).map(markdownOf),
    ].join('\n\n'),
  )
  write(file, ['# Bench', 'Created by `npm run bench`.', ...parts].join('\n\n'))
}

function markdownOf({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.trim()).join(' | ')} |`
  return [line(columns), line(columns.map((_, place) => (place === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}
