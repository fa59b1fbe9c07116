import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TObject } from 'typebox'
import type { Clock } from '../clock.ts'
import { idOf } from '../model/ids.ts'
import { DAY, HOUR, isoDay, MINUTE, startOfDay } from '../model/time.ts'
import type { Part } from '../parts.ts'
import { PeriodicJob } from '../periodic-job.ts'
import type { ExportFile } from '../store/exports/export-files.ts'
import { LeaseTaken } from '../store/leases.ts'
import type { ListWalk } from '../store/lists/feed-pages.ts'
import type { Store } from '../store/store.ts'
import { free } from '../thread.ts'
import { columnsOf } from './columns.ts'
import type { Encoder } from './encoder.ts'
import type { Encoding } from './encoding.ts'
import type { BuiltFile, ExportStorage } from './storage.ts'

/** A dataset whose records belong to days. */
export interface DailyDataset {
  name: string
  schema: TObject
  /** Returns the records of the UTC day that begins at a time. */
  walk(day: number): Promise<ListWalk>
}

interface Deps {
  store: Store
  clock: Clock
  storage: ExportStorage
  encoding: Encoding
  /** Folder to build files in. */
  folder: string
  datasets: readonly DailyDataset[]
  /** Days for which files are kept. */
  days: number
  onError: (error: unknown) => void
}

const EVERY_MS = HOUR
/** Records of a day may arrive for this time after its end before its file is built. */
const GRACE_MS = HOUR
/** Time for a start to be over. */
const FIRST_AFTER_MS = MINUTE
/** Days after which a file is no longer compared with the store. */
export const COMPARED_DAYS = 7
const REMOVED_AT_ONCE = 100
/** How the names of files end that are being built. */
const UNFINISHED = '.part'

export const storedName = ({ id, dataset, day }: Pick<ExportFile, 'id' | 'dataset' | 'day'>): string =>
  `${dataset}/${day}/${id}.parquet`

/** Builds a Parquet file for each dataset and day, another one if records of the last days change, and removes old ones. */
export class DailyFiles implements Part {
  readonly #deps: Deps
  readonly #job: PeriodicJob
  #first: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#job = new PeriodicJob(EVERY_MS, () => this.run(), deps.onError)
  }

  start(): void {
    this.#job.start()
    this.#first = setTimeout(() => this.#job.run(), FIRST_AFTER_MS).unref()
  }

  /** One instance does it at a time. */
  async run(): Promise<void> {
    await this.#deps.store.leases
      .run('export files', () => this.#update(), { waitMs: 0 })
      .catch((error: unknown) => {
        if (!(error instanceof LeaseTaken)) throw error
      })
  }

  /** Stops after the current file. */
  async stop(): Promise<void> {
    clearTimeout(this.#first)
    this.#isStopping = true
    await this.#job.stop()
  }

  async #update(): Promise<void> {
    const { clock, datasets, days } = this.#deps
    await this.#removeUnfinished()
    const now = clock.now()
    const today = startOfDay(now)
    for (let day = startOfDay(now - GRACE_MS) - DAY; day >= today - days * DAY; day -= DAY) {
      for (const dataset of datasets) {
        if (this.#isStopping) return
        await this.#updateDay(dataset, day, day >= today - COMPARED_DAYS * DAY)
      }
    }
    await this.#removeBefore(isoDay(today - days * DAY))
  }

  async #updateDay(dataset: DailyDataset, day: number, isCompared: boolean): Promise<void> {
    const { store, clock, storage } = this.#deps
    const current = await store.exportFiles.findCurrent(dataset.name, isoDay(day))
    if (current !== undefined && (!isCompared || (await rowsSha256(dataset, day)) === current.rowsSha256)) return
    const { totalCount } = await dataset.walk(day)
    if (current === undefined && totalCount === 0) return
    const { file, rows, rowsSha256: hash } = await this.#build(dataset, day)
    // After a crash before its row is added, the file is built again under the same name.
    const id = idOf(`export file: ${dataset.name} ${isoDay(day)} ${hash} ${current?.id}`)
    const record = { id, dataset: dataset.name, day: isoDay(day), rows, bytes: file.bytes, sha256: file.sha256 }
    await storage.put(storedName(record), file)
    await rm(file.path, { force: true })
    await store.exportFiles.add({ ...record, rowsSha256: hash, createdAt: clock.now() })
  }

  async #build(dataset: DailyDataset, day: number) {
    const { folder } = this.#deps
    const columns = columnsOf(dataset.schema)
    const encoder = await this.#deps.encoding.open({ format: 'parquet', columns, selection: 'all', isContinued: false })
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return await buildFile(join(folder, randomUUID() + UNFINISHED), await dataset.walk(day), encoder)
    } finally {
      encoder.close()
    }
  }

  /** Removes what a process that was killed, or a full disk, has left. */
  async #removeUnfinished(): Promise<void> {
    const { folder } = this.#deps
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((each) => each.endsWith(UNFINISHED))) await rm(join(folder, name), { force: true })
  }

  async #removeBefore(day: string): Promise<void> {
    const { store, storage } = this.#deps
    for (;;) {
      const old = await store.exportFiles.listBefore(day, REMOVED_AT_ONCE)
      if (old.length === 0 || this.#isStopping) return
      for (const file of old) {
        // The row last: after a crash in between, the file is removed again.
        await storage.remove(storedName(file))
        await store.exportFiles.remove(file.id)
      }
    }
  }
}

/** Writes the rows of a walk to a file. */
async function buildFile(
  path: string,
  { portions }: ListWalk,
  encoder: Encoder,
): Promise<{ file: BuiltFile; rows: number; rowsSha256: string }> {
  const output = await open(path, 'w', 0o600)
  try {
    const [hash, rowHash] = [createHash('sha256'), createHash('sha256')]
    let [bytes, rows] = [0, 0]
    const write = async (chunks: Awaited<ReturnType<Encoder['rows']>>) => {
      for (const chunk of chunks) {
        await output.writeFile(chunk.bytes)
        hash.update(chunk.bytes)
        bytes += chunk.bytes.length
        rows += chunk.rows
        free(chunk.bytes)
      }
    }
    for await (const portion of portions) {
      for (const doc of portion.each()) rowHash.update(doc).update('\n')
      await write(await encoder.rows(portion))
    }
    await write(await encoder.finish())
    await output.sync()
    return { file: { path, bytes, sha256: hash.digest('hex') }, rows, rowsSha256: rowHash.digest('hex') }
  } finally {
    await output.close()
  }
}

async function rowsSha256(dataset: DailyDataset, day: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const portion of (await dataset.walk(day)).portions) {
    for (const doc of portion.each()) hash.update(doc).update('\n')
    free(portion.joined)
  }
  return hash.digest('hex')
}
