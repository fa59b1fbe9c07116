import { blocksOf, type Chunk, type Encoder } from './encoder.ts'

const LINE_END = Buffer.from('\n')

/** Writes documents as they are, one per line. */
export class NdjsonEncoder implements Encoder {
  async rows(docs: readonly Buffer[]): Promise<Chunk[]> {
    return blocksOf(docs).map((block) => ({
      bytes: Buffer.concat(block.flatMap((doc) => [doc, LINE_END])),
      rows: block.length,
    }))
  }

  async finish(): Promise<Chunk[]> {
    return []
  }

  close(): void {}
}
