import { Thread } from '../../thread.ts'
import { type Embedder, unitVector } from './embedder.ts'

/** Longer batches gain nothing, and a question that comes meanwhile waits for the end of one. */
const BATCH = 8

/** A model that runs in a thread of its own, which ends when it has had nothing to do for a while. */
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
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += BATCH) {
        const values = await thread.ask(texts.slice(start, start + BATCH))
        vectors.push(...values.map(unitVector))
      }
      return vectors
    },
    close: () => thread.close(),
  }
}
