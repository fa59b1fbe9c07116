/** `npm run bench`: measures speed and memory, with floors and small stores measured in the same run. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CLIENT } from './client.ts'
import { benchEndpoints } from './endpoints.ts'
import { benchEnrich } from './enrich.ts'
import { benchExports } from './exports.ts'
import { compareWith, endSection, readSections, saveSections, startSection, writeReport } from './figures.ts'
import { benchFilings } from './filings.ts'
import { benchGrowth } from './growth.ts'
import { benchIngest } from './ingest.ts'
import { benchInstances } from './instances.ts'
import { benchLists } from './lists.ts'
import { describeBench, describeMachine, watchSteal } from './machine.ts'
import { benchMemory } from './memory.ts'
import { removeStores, useServer } from './places.ts'
import { benchSearch } from './search.ts'
import { benchSeed } from './seed.ts'
import type { Settings } from './service.ts'
import { benchStart } from './start.ts'
import { benchStreams } from './streams.ts'
import { benchThroughput } from './throughput.ts'

const sections: Record<string, (settings: Settings) => Promise<void>> = {
  endpoints: benchEndpoints,
  throughput: benchThroughput,
  growth: benchGrowth,
  lists: benchLists,
  enrich: benchEnrich,
  ingest: benchIngest,
  filings: benchFilings,
  search: benchSearch,
  seed: benchSeed,
  start: benchStart,
  memory: benchMemory,
  exports: benchExports,
  streams: benchStreams,
  instances: benchInstances,
}

const { values: options } = parseArgs({
  options: {
    /** Folder for the stores; if given, it is kept and reused. */
    folder: { type: 'string' },
    /** A PostgreSQL server, such as postgres://postgres@127.0.0.1:5432/postgres: each store becomes a database there. */
    database: { type: 'string' },
    only: { type: 'string', default: Object.keys(sections).join() },
    /** Names of the lists to measure. */
    lists: { type: 'string' },
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '1000000' },
    'log-rows': { type: 'string', default: '50000' },
    /** Measures `growth` and `search` at full size, such as ten million entries. */
    full: { type: 'boolean', default: false },
    entries: { type: 'string' },
    logged: { type: 'string' },
    assets: { type: 'string' },
    candles: { type: 'string' },
    vectors: { type: 'string' },
    /** Writes the figures as JSON after each section; sections that are not measured keep theirs. */
    save: { type: 'string' },
    /** Writes the saved figures as Markdown. */
    report: { type: 'string' },
    /** Lists regressions against saved figures; with any, the exit code is 1. */
    compare: { type: 'string' },
  },
})

const size = (given: string | undefined, usual: number, full: number) => Number(given ?? (options.full ? full : usual))
const settings: Settings = {
  folder: options.folder ?? mkdtempSync(join(tmpdir(), 'mintick-bench-')),
  isFolderKept: options.folder !== undefined,
  small: Number(options.small),
  large: Number(options.large),
  requests: Number(options.requests),
  logRows: Number(options['log-rows']),
  vectors: size(options.vectors, 100_000, 1_000_000),
  growth: {
    entries: size(options.entries, 1_000_000, 10_000_000),
    logged: size(options.logged, 1_000_000, 10_000_000),
    assets: size(options.assets, 50_000, 50_000),
    candles: size(options.candles, 1_000_000, 50_000_000),
  },
  lists: options.lists?.split(',') ?? [],
}
if (options.database !== undefined) useServer(options.database)
if (options.report !== undefined && options.save === undefined) throw new Error('--report needs --save')
mkdirSync(settings.folder, { recursive: true })
// Before the figures are saved, possibly to the same file.
const saved = options.compare === undefined ? undefined : readSections(options.compare)
for (const name of options.only.split(',')) {
  const bench = sections[name]
  if (bench === undefined) throw new Error(`unknown section ${name}; there are ${Object.keys(sections).join(', ')}`)
  startSection(name, { ...describeMachine(), ...describeBench(CLIENT) })
  const stolen = watchSteal()
  await bench(settings)
  endSection(stolen())
  if (options.save !== undefined) saveSections(options.save, Object.keys(sections))
}
if (!settings.isFolderKept) {
  await removeStores()
  rmSync(settings.folder, { recursive: true })
}
if (saved !== undefined && compareWith(saved) > 0) process.exitCode = 1
if (options.report !== undefined) writeReport(options.report, options.save ?? '')
