/** Worker thread: writes the rows of exports in formats that need them parsed. */
import { selected } from '../model/selection.ts'
import { answerRequests } from '../thread.ts'
import { csvHeader, csvRow } from './csv.ts'
import { blocksOf, type Chunk, type FileShape } from './encoder.ts'

export type EncodeRequest =
  | { do: 'open'; file: number; shape: FileShape }
  /** `docs` are JSON texts, separated by commas. */
  | { do: 'rows'; file: number; docs: Uint8Array }
  | { do: 'finish' | 'close'; file: number }

type Row = Record<string, unknown>

/** A file being written. */
interface OpenFile {
  rows(rows: Row[]): Chunk[] | Promise<Chunk[]>
  finish(): Chunk[] | Promise<Chunk[]>
}

const files = new Map<number, OpenFile>()

answerRequests(async (request: EncodeRequest): Promise<Chunk[]> => {
  if (request.do === 'open') {
    files.set(request.file, await openFile(request.shape))
    return []
  }
  const file = files.get(request.file)
  if (request.do !== 'rows') files.delete(request.file)
  if (file === undefined || request.do === 'close') return []
  return request.do === 'rows' ? file.rows(JSON.parse(`[${Buffer.from(request.docs)}]`)) : file.finish()
})

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
  return {
    rows: (rows) =>
      blocksOf(rows).map((block) => ({
        bytes: Buffer.from(take() + block.map((row) => csvRow(row, columns, selection)).join('')),
        rows: block.length,
      })),
    finish: () => (header === '' ? [] : [{ bytes: Buffer.from(take()), rows: 0 }]),
  }
}

const ndjsonFile = ({ selection }: FileShape): OpenFile => ({
  rows: (rows) =>
    blocksOf(rows).map((block) => ({
      bytes: Buffer.from(block.map((row) => `${JSON.stringify(selected(row, selection))}\n`).join('')),
      rows: block.length,
    })),
  finish: () => [],
})
