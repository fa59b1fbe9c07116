import { availableParallelism } from 'node:os'
import { shareOut } from '../../few-at-once.ts'
import { Thread } from '../../thread.ts'
import { type Embedder, unitVector } from './embedder.ts'

/** Larger batches are no faster, and a search query must wait for the running batch. */
const BATCH_SIZE = 16
/** With fewer batches, another thread gains little. */
const BATCHES_PER_THREAD = 2
/** Starting a thread takes as long as so many batches. */
const BATCHES_PER_START = 2

/** Creates an embedder that runs a model in worker threads, which end when idle. */
export function threadEmbedder(options: {
  model: string
  languages: readonly string[] | undefined
  module: URL
  data?: unknown
  idleMs: number
  /** The number of threads that share many texts; few texts take one. */
  threads?: number
}): Embedder {
  const { model, languages, module, data, idleMs, threads: most = 1 } = options
  const threads = Array.from(
    { length: Math.min(most, availableParallelism()) },
    () => new Thread<string[], number[][]>(module, { data, idleMs }),
  )
  return {
    model,
    languages,
    async embed(texts) {
      const vectors = new Array<Float32Array>(texts.length)
      // Sorted by length: each text of a batch takes as long as the longest one.
      const order = texts.map((_, index) => index).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b))
      const batches = Array.from({ length: Math.ceil(order.length / BATCH_SIZE) }, (_, batch) =>
        order.slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE),
      ).values()
      const free = threads.toSorted((a, b) => waitFor(a) - waitFor(b))
      const used = free.slice(0, Math.ceil(order.length / (BATCHES_PER_THREAD * BATCH_SIZE)))
      await shareOut(batches, used, async (batch, thread) => {
        const values = await thread.ask(batch.map((index) => texts[index] ?? ''))
        for (const [at, index] of batch.entries()) vectors[index] = unitVector(values[at] ?? [])
      })
      return vectors
    },
    async close() {
      for (const thread of threads) await thread.close()
    },
  }
}

const waitFor = ({ load, isRunning }: Thread<string[], number[][]>) => (isRunning ? load : load + BATCHES_PER_START)

const lengthOf = (texts: readonly string[], index: number) => texts[index]?.length ?? 0
