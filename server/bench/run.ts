/** `npm run bench`: measures speed and memory, with baselines measured in the same run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchEnrich } from './enrich.ts'
import { benchGrowth } from './growth.ts'
import { benchLists } from './lists.ts'
import { benchMemory } from './memory.ts'
import { benchSearch } from './search.ts'
import type { Settings } from './service.ts'
import { benchStart } from './start.ts'
import { benchStreams } from './streams.ts'
import { benchThroughput } from './throughput.ts'

const sections: Record<string, (settings: Settings) => Promise<void>> = {
  throughput: benchThroughput,
  growth: benchGrowth,
  lists: benchLists,
  enrich: benchEnrich,
  search: benchSearch,
  start: benchStart,
  memory: benchMemory,
  streams: benchStreams,
}

const { values: options } = parseArgs({
  options: {
    /** Folder for the stores; if given, it is kept and reused. */
    folder: { type: 'string' },
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '1000000' },
    only: { type: 'string', default: Object.keys(sections).join() },
    /** Names of the lists to measure. */
    lists: { type: 'string' },
  },
})

const settings: Settings = {
  folder: options.folder ?? mkdtempSync(join(tmpdir(), 'mintick-bench-')),
  isFolderKept: options.folder !== undefined,
  small: Number(options.small),
  large: Number(options.large),
  requests: Number(options.requests),
  lists: options.lists?.split(',') ?? [],
}
for (const name of options.only.split(',')) {
  process.stdout.write(`\n${name}\n`)
  await sections[name]?.(settings)
}
if (!settings.isFolderKept) rmSync(settings.folder, { recursive: true })
