import { Thread } from '../thread.ts'
import type { EncodeRequest } from './encode-thread.ts'
import type { Chunk, Encoder, FileShape } from './encoder.ts'
import { NdjsonEncoder } from './ndjson.ts'

const IDLE_MS = 30_000
const COMMA = Buffer.from(',')

/** Opens encoders. Rows that have to be parsed are parsed in a thread, which all files share. */
export class Encoding {
  readonly #thread = new Thread<EncodeRequest, Chunk[]>(new URL('./encode-thread.ts', import.meta.url), {
    idleMs: IDLE_MS,
  })
  #files = 0

  async open(shape: FileShape): Promise<Encoder> {
    if (shape.format === 'ndjson' && shape.selection === 'all') return new NdjsonEncoder()
    this.#files += 1
    const file = this.#files
    await this.#thread.ask({ do: 'open', file, shape })
    return {
      rows: (docs) => {
        const joined = Buffer.concat(docs.flatMap((doc, place) => (place === 0 ? [doc] : [COMMA, doc])))
        return this.#thread.ask({ do: 'rows', file, docs: joined })
      },
      finish: () => this.#thread.ask({ do: 'finish', file }),
      close: () => {
        if (this.#thread.isRunning) this.#thread.ask({ do: 'close', file }).catch(() => {})
      },
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
