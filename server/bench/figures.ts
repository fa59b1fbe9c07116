/** Prints the figures of a run, collects them for a report, and compares them with those of an earlier run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

type Bound = 'at least' | 'at most'

interface Figure {
  section: string
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

interface SavedRun {
  machine: Record<string, string>
  figures: readonly Figure[]
}

/**
 * A ratio that is worse by more than this share is a regression. Ratios of the same code differ from run to run: the size
 * of group commits depends on timing, and a round counts only a hundred ticks of CPU time. Other load on the machine moves
 * them by more than this share, so that a comparison needs an idle machine.
 */
const TOLERANCE = 0.25

const figures: Figure[] = []
const sections: { name: string; tables: Table[] }[] = []
let lines: string[][] = []

export function startSection(name: string): void {
  lines = []
  sections.push({ name, tables: [{ columns: ['', '', 'target'], rows: lines }] })
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
  figures.push({ section: sections.at(-1)?.name ?? '', name, value: Number(value.toPrecision(4)), unit, bound, target })
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

/** Writes all figures as JSON, for `compareWith` in a later run. */
export function saveFigures(file: string, machine: Record<string, string>): void {
  const run: SavedRun = { machine, figures }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
}

/**
 * Prints the ratios that are worse than in a saved run and returns their number. Other figures are not compared: they
 * depend on the machine.
 */
export function compareWith(file: string): number {
  const saved: SavedRun = JSON.parse(readFileSync(file, 'utf8'))
  const keyOf = ({ section, name }: Figure) => `${section}: ${name}`
  const before = new Map(saved.figures.map((figure) => [keyOf(figure), figure.value]))
  const ratios = figures.filter((figure) => figure.unit === '' && before.has(keyOf(figure)))
  process.stdout.write(`\nregressions against ${file}\n`)
  let count = 0
  for (const figure of ratios) {
    const old = before.get(keyOf(figure)) ?? Number.NaN
    const change = figure.bound === 'at least' ? old / figure.value : figure.value / old
    if (change <= 1 + TOLERANCE) continue
    count += 1
    process.stdout.write(`  ${keyOf(figure).padEnd(66)} ${old.toFixed(2)} → ${figure.value.toFixed(2)}\n`)
  }
  process.stdout.write(`  ${count} of ${ratios.length} ratios are worse by more than ${TOLERANCE * 100} %\n`)
  return count
}

/** Writes the run as Markdown. */
export function writeReport(file: string, machine: Record<string, string>): void {
  const head = Object.entries(machine).map(([name, value]) => `- ${name}: ${value}`)
  const parts = sections.map(({ name, tables }) => [`## ${name}`, ...tables.map(markdownOf)].join('\n\n'))
  const text = ['# Bench', 'Created by `npm run bench`.', head.join('\n'), ...parts].join('\n\n')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text.replace(/\n{3,}/g, '\n\n')}\n`)
}

function markdownOf({ columns, rows }: Table): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.trim()).join(' | ')} |`
  return [line(columns), line(columns.map((_, place) => (place === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}
