import { ownBuffer, Thread } from '../thread.ts'
import type { EncodeRequest } from './encode-thread.ts'
import type { Chunk, Encoder, FileShape } from './encoder.ts'
import { NdjsonEncoder } from './ndjson.ts'

const IDLE_MS = 30_000
/** One row group at a time is parsed, and needs a third of this. */
const HEAP_MB = 64

/** Opens encoders. Rows that have to be parsed are parsed in a thread, which all files share. */
export class Encoding {
  readonly #thread: Thread<EncodeRequest, Chunk[]>
  #files = 0

  constructor(idleMs = IDLE_MS) {
    this.#thread = new Thread(new URL('./encode-thread.ts', import.meta.url), { idleMs, heapMb: HEAP_MB })
  }

  async open(shape: FileShape): Promise<Encoder> {
    if (shape.format === 'ndjson' && shape.selection === 'all') return new NdjsonEncoder()
    this.#files += 1
    const file = this.#files
    await this.#thread.ask({ do: 'open', file, shape })
    // A slow client may leave it without requests for long.
    const release = this.#thread.keep()
    return {
      rows: ({ joined: docs, sizes }) =>
        this.#thread.ask({ do: 'rows', file, portion: { docs, sizes } }, ownBuffer(docs)),
      finish: () => this.#thread.ask({ do: 'finish', file }),
      close: () => {
        if (this.#thread.isRunning) this.#thread.ask({ do: 'close', file }).catch(() => {})
        release()
      },
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
