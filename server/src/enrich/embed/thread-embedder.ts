import { Thread } from '../../thread.ts'
import { type Embedder, unitVector } from './embedder.ts'

/** Longer batches gain nothing, and a question that comes meanwhile waits for the end of one. */
const BATCH = 16

/** A model that runs in a thread of its own, which ends when it has had nothing to do for a while. */
export function threadEmbedder(options: {
  model: string
  languages: readonly string[] | undefined
  module: URL
  data?: unknown
  idleMs: number
}): Embedder {
  const { model, languages, module, data, idleMs } = options
  const thread = new Thread<string[], number[][]>(module, { data, idleMs, computes: true })
  return {
    model,
    languages,
    async embed(texts) {
      const vectors = new Array<Float32Array>(texts.length)
      // A model takes as long for each text of a batch as for the longest one.
      const places = texts.map((_, place) => place).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b))
      for (let start = 0; start < places.length; start += BATCH) {
        const batch = places.slice(start, start + BATCH)
        const values = await thread.ask(batch.map((place) => texts[place] ?? ''))
        for (const [at, place] of batch.entries()) vectors[place] = unitVector(values[at] ?? [])
      }
      return vectors
    },
    close: () => thread.close(),
  }
}

const lengthOf = (texts: readonly string[], place: number) => texts[place]?.length ?? 0
