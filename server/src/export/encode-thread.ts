/** Worker thread: writes the rows of exports in formats that need them parsed, and the files of days to the disk. */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { selected } from '../model/selection.ts'
import { answerRequests, free, ownBuffer } from '../thread.ts'
import { csvHeader, csvRow } from './csv.ts'
import { blocksOf, type Chunk, docsOf, type FileShape, type FileSums, type Portion, parse } from './encoder.ts'

export type EncodeRequest =
  | { do: 'open'; file: number; shape: FileShape }
  /** Writes the file at a path. */
  | { do: 'write'; file: number; shape: FileShape; path: string }
  /** Writes no file. */
  | { do: 'sum'; file: number }
  | { do: 'rows'; file: number; portion: Portion }
  | { do: 'finish' | 'close'; file: number }

export type EncodeAnswer = Chunk[] | FileSums

const NO_CHUNKS: Chunk[] = []

/** A file being written. */
interface OpenFile<End = Chunk[]> {
  rows(portion: Portion): Chunk[]
  finish(): End
  close?(): void
}

const files = new Map<number, OpenFile<EncodeAnswer>>()

answerRequests(answer, (answered) => (Array.isArray(answered) ? answered.flatMap(({ bytes }) => ownBuffer(bytes)) : []))

async function answer(request: EncodeRequest): Promise<EncodeAnswer> {
  const file = files.get(request.file)
  switch (request.do) {
    case 'open':
      files.set(request.file, await openFile(request.shape))
      return NO_CHUNKS
    case 'write':
      files.set(request.file, writtenFile(await openFile(request.shape), request.path))
      return NO_CHUNKS
    case 'sum':
      files.set(request.file, summedRows())
      return NO_CHUNKS
    case 'close':
      files.delete(request.file)
      file?.close?.()
      return NO_CHUNKS
  }
  // The thread has ended in between: the rest of the file would lack what it kept.
  if (file === undefined) throw new Error('the file is not open')
  return request.do === 'rows' ? file.rows(request.portion) : file.finish()
}

/** Writes a file to the disk, and sums it up. */
function writtenFile(file: OpenFile, path: string): OpenFile<FileSums> {
  const output = openSync(path, 'w', 0o600)
  const hash = createHash('sha256')
  const rowHash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  const write = (chunks: readonly Chunk[]) => {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.bytes.length; ) at += writeSync(output, chunk.bytes, at)
      hash.update(chunk.bytes)
      bytes += chunk.bytes.length
      rows += chunk.rows
      free(chunk.bytes)
    }
  }
  return {
    rows(portion) {
      addRows(rowHash, portion)
      write(file.rows(portion))
      return NO_CHUNKS
    },
    finish() {
      write(file.finish())
      fsyncSync(output)
      return { rows, rowsSha256: rowHash.digest('hex'), bytes, sha256: hash.digest('hex') }
    },
    close: () => closeSync(output),
  }
}

function summedRows(): OpenFile<FileSums> {
  const hash = createHash('sha256')
  let rows = 0
  return {
    rows(portion) {
      addRows(hash, portion)
      rows += portion.sizes.length
      free(portion.docs)
      return NO_CHUNKS
    },
    finish: () => ({ rows, rowsSha256: hash.digest('hex'), bytes: 0, sha256: '' }),
  }
}

function addRows(hash: Hash, portion: Portion): void {
  for (const doc of docsOf(portion)) hash.update(doc).update('\n')
}

async function openFile(shape: FileShape): Promise<OpenFile> {
  if (shape.format === 'parquet') {
    const { ParquetFile } = await import('./parquet.ts')
    return new ParquetFile(shape)
  }
  return shape.format === 'csv' ? csvFile(shape) : ndjsonFile(shape)
}

function csvFile({ columns, selection, isContinued }: FileShape): OpenFile {
  let header = isContinued ? '' : csvHeader(columns)
  const take = () => {
    const taken = header
    header = ''
    return taken
  }
  const blocks = blocksBy((doc) => csvRow(parse(doc), columns, selection))
  return {
    rows: (portion) => blocks(portion, take()),
    finish: () => (header === '' ? [] : [{ bytes: Buffer.from(take()), rows: 0 }]),
  }
}

const ndjsonFile = ({ selection }: FileShape): OpenFile => ({
  rows: blocksBy((doc) => `${JSON.stringify(selected(parse(doc), selection))}\n`),
  finish: () => [],
})

/** Returns a function that writes the blocks of a portion. One record is parsed at a time. */
function blocksBy(write: (doc: Buffer) => string): (portion: Portion, header?: string) => Chunk[] {
  return (portion, header = '') => {
    const chunks = blocksOf(docsOf(portion)).map((block, place) => ({
      bytes: Buffer.from((place === 0 ? header : '') + block.map(write).join('')),
      rows: block.length,
    }))
    free(portion.docs)
    return chunks
  }
}
