import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { OperatorError } from '../config.ts'

/** The first file of an archive: what the others are. */
export interface Manifest {
  format: 'mintick-backup-1'
  /** The version of Mintick that wrote the backup. */
  version: string
  /** The moment of the backup. */
  createdAt: string
  files: Record<string, { bytes: number; sha256: string }>
}

const MANIFEST = 'manifest.json'
const MAX_MANIFEST_BYTES = 100_000
const BLOCK = 512
/** Zstandard checks the whole archive, including the manifest. */
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** Writes files of a folder into one archive (tar, compressed with Zstandard), readable by its owner only. */
export async function writeArchive(
  archive: string,
  folder: string,
  names: readonly string[],
  about: Pick<Manifest, 'version' | 'createdAt'>,
): Promise<void> {
  const files: Manifest['files'] = {}
  for (const name of names) files[name] = await describeFile(join(folder, name))
  const manifest: Manifest = { format: 'mintick-backup-1', ...about, files }
  await pipeline(
    tarOf(manifest, folder),
    createZstdCompress(CHECKED),
    createWriteStream(archive, { flags: 'wx', mode: 0o600, flush: true }),
  )
}

/**
 * Unpacks an archive into an existing folder and returns its manifest. Files that are not in `allowed`, or that differ
 * from the manifest, are refused.
 */
export async function readArchive(archive: string, folder: string, allowed: readonly string[]): Promise<Manifest> {
  const source = createReadStream(archive)
  const plain = createZstdDecompress()
  const reading = pipeline(source, plain)
  reading.catch(() => {})
  const bytes = new ByteReader(plain)
  try {
    const manifest = parseManifest(await readHeader(bytes), bytes, allowed)
    const { files } = await manifest
    for (const [name, { bytes: size, sha256 }] of Object.entries(files)) {
      const header = await readHeader(bytes)
      if (header.name !== name || header.size !== size) throw new Damaged(`${name} is not where it should be`)
      const hash = createHash('sha256')
      await pipeline(
        Readable.from(hashed(bytes.chunks(size), hash)),
        createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600, flush: true }),
      )
      await bytes.take(paddingOf(size))
      if (hash.digest('hex') !== sha256) throw new Damaged(`${name} differs from its checksum`)
    }
    // To the end, where the checksum of the archive is.
    await bytes.drain()
    return await manifest
  } catch (error) {
    throw refusalOf(archive, error)
  } finally {
    plain.destroy()
    source.destroy()
  }
}

class Damaged extends Error {}
class Foreign extends Error {}

function refusalOf(archive: string, error: unknown): unknown {
  if (error instanceof OperatorError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof Foreign || code === 'ZSTD_error_prefix_unknown') {
    return new OperatorError(`${archive} is not a backup of Mintick`)
  }
  if (error instanceof Damaged || code.startsWith('ZSTD_') || code.startsWith('Z_')) {
    return new OperatorError(`${archive} is damaged or incomplete: ${message}`)
  }
  if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES') {
    return new OperatorError(`cannot read ${archive} (${code})`)
  }
  return error
}

async function parseManifest(
  { name, size }: { name: string; size: number },
  bytes: ByteReader,
  allowed: readonly string[],
): Promise<Manifest> {
  if (name !== MANIFEST || size > MAX_MANIFEST_BYTES) throw new Foreign()
  const text = (await bytes.take(size)).toString()
  await bytes.take(paddingOf(size))
  let manifest: Manifest
  try {
    manifest = JSON.parse(text)
  } catch {
    throw new Foreign()
  }
  if (typeof manifest?.format !== 'string' || !manifest.format.startsWith('mintick-backup-')) throw new Foreign()
  if (manifest.format !== 'mintick-backup-1') {
    // A wrong byte could name another version: the checksum at the end tells.
    await bytes.drain()
    throw new OperatorError(`the backup was written by Mintick ${manifest.version}; restore it with that version`)
  }
  if (typeof manifest.files !== 'object' || manifest.files === null) throw new Damaged('it does not list its files')
  for (const [name, file] of Object.entries(manifest.files)) {
    if (!allowed.includes(name)) throw new Damaged(`it contains ${JSON.stringify(name)}`)
    if (!Number.isSafeInteger(file?.bytes)) throw new Damaged(`it does not say how long ${name} is`)
  }
  return manifest
}

async function describeFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { bytes: statSync(path).size, sha256: hash.digest('hex') }
}

async function* tarOf(manifest: Manifest, folder: string): AsyncGenerator<Buffer> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  yield headerOf(MANIFEST, text.length)
  yield text
  yield Buffer.alloc(paddingOf(text.length))
  for (const [name, { bytes }] of Object.entries(manifest.files)) {
    yield headerOf(name, bytes)
    yield* createReadStream(join(folder, name), { highWaterMark: 1 << 20 })
    yield Buffer.alloc(paddingOf(bytes))
  }
  yield Buffer.alloc(2 * BLOCK)
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** Creates a header in the format of ustar. A size that does not fit into 11 octal digits is binary, as GNU tar does it. */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write('00000000000\0', 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

async function readHeader(bytes: ByteReader): Promise<{ name: string; size: number }> {
  const header = await bytes.take(BLOCK)
  if (header.toString('latin1', 257, 262) !== 'ustar') throw new Foreign()
  if (Number.parseInt(header.toString('latin1', 148, 154), 8) !== checksumOf(header)) {
    throw new Damaged('a header differs from its checksum')
  }
  const size =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8)
  return { name: header.toString('latin1', 0, 100).replace(/\0.*$/s, ''), size }
}

/** Returns the sum of the header's bytes, with spaces in place of the checksum. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 32 : byte), 0)
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: { update(chunk: Buffer): unknown }) {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

/** Reads a stream in pieces of a given size. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(size: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of this.chunks(size)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** Yields the next `size` bytes as they come. */
  async *chunks(size: number): AsyncGenerator<Buffer> {
    let missing = size
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next()
        if (next.done) throw new Damaged('it ends too early')
        this.#rest = next.value
      }
      const chunk = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(chunk.length)
      missing -= chunk.length
      yield chunk
    }
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}
