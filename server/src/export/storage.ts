import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A finished file on this machine. */
export interface BuiltFile {
  path: string
  bytes: number
  sha256: string
}

/** Where the daily files are. Names are paths with slashes. */
export interface ExportStorage {
  /** Stores a built file under a new name, whole or not at all. */
  put(name: string, file: BuiltFile): Promise<void>
  /** Returns the bytes from `start` up to and including `end`, read once they are asked for; undefined if it is known that there is no such file. */
  read(name: string, start: number, end: number): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>
}

/** Keeps files in a folder of this machine, in which they are also built. */
export class FolderStorage implements ExportStorage {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(name: string, file: BuiltFile): Promise<void> {
    const path = join(this.#folder, name)
    const folder = dirname(path)
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(file.path, path)
    // Otherwise a loss of power could take back the name, or the folders that are new.
    const outermost = created === undefined ? folder : dirname(created)
    for (let each = folder; each.length >= outermost.length; each = dirname(each)) await syncFolder(each)
  }

  async read(name: string, start: number, end: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = join(this.#folder, name)
    return existsSync(path) ? readPart(path, start, end) : undefined
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Opens the file once its bytes are read. */
async function* readPart(path: string, start: number, end: number): AsyncIterable<Uint8Array> {
  yield* createReadStream(path, { start, end })
}
