/** Worker thread: writes the rows of exports in formats that need them parsed. */
import { selected } from '../model/selection.ts'
import { answerRequests, free, ownBuffer } from '../thread.ts'
import { csvHeader, csvRow } from './csv.ts'
import { blocksOf, type Chunk, docsOf, type FileShape, type Portion, parse } from './encoder.ts'

export type EncodeRequest =
  | { do: 'open'; file: number; shape: FileShape }
  | { do: 'rows'; file: number; portion: Portion }
  | { do: 'finish' | 'close'; file: number }

/** A file being written. */
interface OpenFile {
  rows(portion: Portion): Chunk[]
  finish(): Chunk[]
}

const files = new Map<number, OpenFile>()

answerRequests(answer, (chunks) => chunks.flatMap(({ bytes }) => ownBuffer(bytes)))

async function answer(request: EncodeRequest): Promise<Chunk[]> {
  if (request.do === 'open') {
    files.set(request.file, await openFile(request.shape))
    return []
  }
  const file = files.get(request.file)
  if (request.do !== 'rows') files.delete(request.file)
  if (request.do === 'close') return []
  // The thread has ended in between: the rest of the file would lack what it kept.
  if (file === undefined) throw new Error('the file is not open')
  return request.do === 'rows' ? file.rows(request.portion) : file.finish()
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
