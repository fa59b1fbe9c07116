import type { DocRows } from '../store/lists/docs.ts'
import { ownBuffer, Thread } from '../thread.ts'
import type { EncodeAnswer, EncodeRequest } from './encode-thread.ts'
import type { Chunk, Encoder, FileShape, FileSums } from './encoder.ts'
import { NdjsonEncoder } from './ndjson.ts'

const IDLE_MS = 30_000
/** One row group at a time is parsed, and needs a third of this. */
const HEAP_MB = 64

/** Writes rows as files, in a thread that all files share, except those whose rows need not be parsed. */
export class Encoding {
  readonly #thread: Thread<EncodeRequest, EncodeAnswer>
  #files = 0

  constructor(idleMs = IDLE_MS) {
    this.#thread = new Thread(new URL('./encode-thread.ts', import.meta.url), { idleMs, heapMb: HEAP_MB })
  }

  async open(shape: FileShape): Promise<Encoder> {
    if (shape.format === 'ndjson' && shape.selection === 'all') return new NdjsonEncoder()
    return this.#open<Chunk[]>((file) => ({ do: 'open', file, shape }))
  }

  /** Writes rows to a file. */
  write(rows: AsyncIterable<DocRows>, shape: FileShape, path: string): Promise<FileSums> {
    return this.#sum(rows, (file) => ({ do: 'write', file, shape, path }))
  }

  /** Sums up rows without writing them. */
  sum(rows: AsyncIterable<DocRows>): Promise<FileSums> {
    return this.#sum(rows, (file) => ({ do: 'sum', file }))
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #sum(portions: AsyncIterable<DocRows>, request: (file: number) => EncodeRequest): Promise<FileSums> {
    const sums = await this.#open<FileSums>(request)
    try {
      for await (const portion of portions) await sums.rows(portion)
      return await sums.finish()
    } finally {
      sums.close()
    }
  }

  async #open<End>(request: (file: number) => EncodeRequest): Promise<OpenedFile<End>> {
    this.#files += 1
    const file = this.#files
    await this.#thread.ask(request(file))
    // A slow client may leave it without requests for long.
    const release = this.#thread.keep()
    return {
      rows: ({ joined: docs, sizes }) =>
        this.#thread.ask({ do: 'rows', file, portion: { docs, sizes } }, ownBuffer(docs)) as Promise<Chunk[]>,
      finish: () => this.#thread.ask({ do: 'finish', file }) as Promise<End>,
      close: () => {
        if (this.#thread.isRunning) this.#thread.ask({ do: 'close', file }).catch(() => {})
        release()
      },
    }
  }
}

type OpenedFile<End> = Omit<Encoder, 'finish'> & { finish(): Promise<End> }
