import { Thread } from '../../thread.ts'
import { type Embedder, unitVector } from './embedder.ts'

/** Larger batches are no faster, and a search query must wait for the running batch. */
const BATCH_SIZE = 16

/** Creates an embedder that runs a model in a worker thread, which ends when idle. */
export function threadEmbedder(options: {
  model: string
  languages: readonly string[] | undefined
  module: URL
  data?: unknown
  idleMs: number
}): Embedder {
  const { model, languages, module, data, idleMs } = options
  const thread = new Thread<string[], number[][]>(module, { data, idleMs })
  return {
    model,
    languages,
    async embed(texts) {
      const vectors = new Array<Float32Array>(texts.length)
      // Sorted by length: each text of a batch takes as long as the longest one.
      const order = texts.map((_, index) => index).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b))
      for (let start = 0; start < order.length; start += BATCH_SIZE) {
        const batch = order.slice(start, start + BATCH_SIZE)
        const values = await thread.ask(batch.map((index) => texts[index] ?? ''))
        for (const [at, index] of batch.entries()) vectors[index] = unitVector(values[at] ?? [])
      }
      return vectors
    },
    close: () => thread.close(),
  }
}

const lengthOf = (texts: readonly string[], index: number) => texts[index]?.length ?? 0
