import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../config.ts'
import { SECRET_FILES } from '../secrets.ts'
import { finishSwap, listStored, swapFolder, unpackedFolder } from '../store/engines/folder-swap.ts'
import { lockFolder, SQLITE_FILES } from '../store/engines/sqlite.ts'
import { version } from '../version.ts'
import { readArchive, writeArchive } from './archive.ts'
import { copyStore } from './copy-store.ts'
import { onDiskOf } from './on-disk-of.ts'
import { type Verified, verifyStore } from './verify-store.ts'

const STORE_FILES = Object.values(SQLITE_FILES)

export interface BackupReport extends Verified {
  secrets: string[]
}

/** Writes the store and the secrets of a data folder into one file, once the copy has passed all checks. */
export async function writeBackup(folder: string, file: string, now: number): Promise<BackupReport> {
  if (existsSync(file)) throw new OperatorError(`${file} already exists`)
  const place = dirname(file)
  if (!existsSync(place)) throw new OperatorError(`cannot write ${file}: there is no folder ${place}`)
  return onDiskOf(place, () => writeChecked(folder, file, now))
}

async function writeChecked(folder: string, file: string, now: number): Promise<BackupReport> {
  // Beside the file, on the same disk.
  const work = mkdtempSync(`${file}.partial-`)
  try {
    const secrets = SECRET_FILES.filter((name) => existsSync(join(folder, name)))
    for (const name of secrets) {
      writeFileSync(join(work, name), await onDiskOf(folder, () => readFileSync(join(folder, name))))
    }
    await copyStore(folder, work)
    const verified = await verifyStore(work, now)
    if (verified.migrated.length > 0) {
      throw new OperatorError(`the store belongs to an older version of Mintick; back it up with that version`)
    }
    const archive = join(work, 'archive')
    const createdAt = new Date(now).toISOString()
    await writeArchive(archive, work, [...STORE_FILES, ...secrets], { version, createdAt })
    // Unlike a rename, a link does not replace a file that has appeared meanwhile.
    linkSync(archive, file)
    return { ...verified, secrets }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

interface RestoreOptions {
  /** Moves files of the folder aside. */
  force: boolean
  now: number
}

export interface RestoreReport extends BackupReport {
  createdAt: string
  /** The folder with the files that were there before. */
  aside: string | undefined
}

/**
 * Replaces the contents of a data folder with those of a backup. Until the backup has passed all checks the folder stays
 * as it is; after that, the next start completes a restore that was interrupted.
 */
export function restoreBackup(file: string, folder: string, options: RestoreOptions): Promise<RestoreReport> {
  return onDiskOf(folder, () => restoreChecked(file, folder, options))
}

async function restoreChecked(file: string, folder: string, { force, now }: RestoreOptions): Promise<RestoreReport> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  using _lock = lockFolder(folder)
  finishSwap(folder)
  if (!force && listStored(folder).length > 0) {
    throw new OperatorError(`DATA_DIR: ${folder} is not empty; --force moves its files aside`)
  }
  const unpacked = unpackedFolder(folder)
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { mode: 0o700 })
  try {
    const { files, createdAt } = await readArchive(file, unpacked, [...STORE_FILES, ...SECRET_FILES])
    const missing = STORE_FILES.find((name) => files[name] === undefined)
    if (missing !== undefined) throw new OperatorError(`${file} is damaged or incomplete: ${missing} is missing`)
    const verified = await verifyStore(unpacked, now)
    rmSync(join(unpacked, 'mintick.lock'))
    const aside = swapFolder(folder, now)
    return { ...verified, createdAt, aside, secrets: SECRET_FILES.filter((name) => files[name] !== undefined) }
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}
