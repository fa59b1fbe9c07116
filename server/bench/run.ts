/** `npm run bench`: figures with the floors they are held against, measured in the same run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { enrich } from './enrich.ts'
import { growth } from './growth.ts'
import { lists } from './lists.ts'
import { memory } from './memory.ts'
import { search } from './search.ts'
import type { Settings } from './service.ts'
import { start } from './start.ts'
import { streams } from './streams.ts'
import { throughput } from './throughput.ts'

const sections: Record<string, (settings: Settings) => Promise<void>> = {
  throughput,
  growth,
  lists,
  enrich,
  search,
  start,
  memory,
  streams,
}

const { values: options } = parseArgs({
  options: {
    /** Where the stores are built; kept and used again when given. */
    folder: { type: 'string' },
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '1000000' },
    only: { type: 'string', default: Object.keys(sections).join() },
    /** Some of the lists, by name. */
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
