import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { TObject } from 'typebox'
import type { Clock } from '../clock.ts'
import { idOf } from '../model/ids.ts'
import { DAY, HOUR, isoDay, MINUTE, startOfDay } from '../model/time.ts'
import type { Part } from '../parts.ts'
import { PeriodicJob } from '../periodic-job.ts'
import { type ExportFile, storedName } from '../store/exports/export-files.ts'
import type { Lease } from '../store/leases.ts'
import type { ListWalk } from '../store/lists/feed-pages.ts'
import type { Store } from '../store/store.ts'
import { columnsOf } from './columns.ts'
import type { Encoding } from './encoding.ts'
import type { ExportStorage } from './storage.ts'

/** A dataset whose records belong to days. */
export interface DailyDataset {
  name: string
  schema: TObject
  /** Returns the records of the UTC day that begins at a time. */
  walk(day: number): Promise<ListWalk>
  /** Returns a number that grows with each change of a record. */
  version(): Promise<number>
  /** Returns those of the days whose records may have been added or revised since a version. */
  changedDays(since: number, days: readonly number[]): Promise<readonly number[]>
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
    await this.#deps.store.leases.runIfFree('export files', (lease) => this.#update(lease))
  }

  /** Stops after the current file. */
  async stop(): Promise<void> {
    clearTimeout(this.#first)
    this.#isStopping = true
    await this.#job.stop()
  }

  async #update(lease: Lease): Promise<void> {
    const { clock, datasets, days: kept } = this.#deps
    await this.#removeUnfinished()
    const now = clock.now()
    const today = startOfDay(now)
    const days: number[] = []
    for (let day = startOfDay(now - GRACE_MS) - DAY; day >= today - kept * DAY; day -= DAY) days.push(day)
    for (const dataset of datasets) {
      await this.#updateDataset(dataset, days, today - COMPARED_DAYS * DAY, lease)
      // Lets requests run in between.
      await setImmediate()
    }
    await this.#removeBefore(isoDay(today - kept * DAY))
  }

  /** Builds the missing files of days, latest first, and further ones of the days from `comparedFrom` on that have changed. */
  async #updateDataset(
    dataset: DailyDataset,
    days: readonly number[],
    comparedFrom: number,
    lease: Lease,
  ): Promise<void> {
    const { exportFiles } = this.#deps.store
    const files = new Map(
      (await exportFiles.listCurrent(dataset.name, isoDay(days.at(-1) ?? 0))).map((file) => [file.day, file]),
    )
    // Read first: a change from now on has a later version.
    const version = await dataset.version()
    const isCompared = (day: number) => day >= comparedFrom && files.get(isoDay(day))?.version !== version
    const changed = await listChanged(dataset, days.filter(isCompared), files, version)
    const unchanged: string[] = []
    for (const day of days) {
      if (this.#isStopping) return
      const file = files.get(isoDay(day))
      if (file !== undefined && !isCompared(day)) continue
      if (file !== undefined && (await isCurrent(this.#deps.encoding, dataset, day, file, changed))) {
        unchanged.push(file.id)
      } else await this.#updateDay(dataset, day, { current: file, version, lease })
    }
    await exportFiles.setVersion(unchanged, version)
  }

  async #updateDay(
    dataset: DailyDataset,
    day: number,
    { current, version, lease }: { current: ExportFile | undefined; version: number; lease: Lease },
  ): Promise<void> {
    const { store, clock, storage, folder, encoding } = this.#deps
    const { totalCount, portions } = await dataset.walk(day)
    if (current === undefined && totalCount === 0) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID() + UNFINISHED)
    const columns = columnsOf(dataset.schema)
    const shape = { format: 'parquet', columns, selection: 'all', isContinued: false } as const
    const { rowsSha256, ...sums } = await encoding.write(portions, shape, path)
    // After a crash before its row is added, the file is built again under the same name.
    const id = idOf(`export file: ${dataset.name} ${isoDay(day)} ${rowsSha256} ${current?.id}`)
    const file = { id, dataset: dataset.name, day: isoDay(day), ...sums, rowsSha256, createdAt: clock.now(), version }
    await store.exportFiles.startUpload(file, lease)
    await storage.put(storedName(file), { path, ...sums })
    await rm(path, { force: true })
    await store.exportFiles.add(file, lease)
  }

  /** Removes what a process that was killed, or a full disk, has left. */
  async #removeUnfinished(): Promise<void> {
    const { folder, store, storage } = this.#deps
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((each) => each.endsWith(UNFINISHED))) await rm(join(folder, name), { force: true })
    for (const file of await store.exportFiles.listLeftUploads()) await storage.remove(storedName(file))
    await store.exportFiles.forgetUploads()
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

/** Whether the version of a file is known. That of a dataset is lower than it if an older copy of the store was restored. */
const isKnown = (file: ExportFile | undefined, version: number): file is ExportFile & { version: number } =>
  file !== undefined && file.version !== null && file.version <= version

/** Returns those of the days that may have records that were added or revised since their files. */
async function listChanged(
  dataset: DailyDataset,
  days: readonly number[],
  files: ReadonlyMap<string, ExportFile>,
  version: number,
): Promise<readonly number[]> {
  const known = days.flatMap((day) => {
    const file = files.get(isoDay(day))
    return isKnown(file, version) ? { day, since: file.version } : []
  })
  if (known.length === 0) return days
  const since = Math.min(...known.map((one) => one.since))
  const changed = await dataset.changedDays(
    since,
    known.map(({ day }) => day),
  )
  return days.filter((day) => changed.includes(day) || !known.some((one) => one.day === day))
}

/**
 * Whether a file has the records of its day. If none of them is new or revised, all are in the file; if there are as many, then it has
 * no others.
 */
async function isCurrent(
  encoding: Encoding,
  dataset: DailyDataset,
  day: number,
  file: ExportFile,
  changed: readonly number[],
): Promise<boolean> {
  const { totalCount, portions } = await dataset.walk(day)
  if (totalCount !== file.rows) return false
  return !changed.includes(day) || (await encoding.sum(portions)).rowsSha256 === file.rowsSha256
}
