import type { DocRows } from '../store/lists/docs.ts'
import { free } from '../thread.ts'
import { blocksOf, type Chunk, type Encoder } from './encoder.ts'

const LINE_END = Buffer.from('\n')

/** Writes documents as they are, one per line. */
export class NdjsonEncoder implements Encoder {
  async rows(rows: DocRows): Promise<Chunk[]> {
    const chunks = blocksOf(rows.each()).map((block) => ({
      bytes: Buffer.concat(block.flatMap((doc) => [doc, LINE_END])),
      rows: block.length,
    }))
    free(rows.joined)
    return chunks
  }

  async finish(): Promise<Chunk[]> {
    return []
  }

  close(): void {}
}
