import { Thread } from '../../thread.ts'
import { type Embedder, unitVector } from './embedder.ts'

/** A minute without anything to embed: the model is dropped, and loaded again in a third of a second. */
const IDLE_MS = 60_000

/** Longer batches gain nothing, and a question that comes meanwhile waits for the end of one. */
const BATCH = 8

/** The encoder that comes with Mintick: Universal Sentence Encoder lite, in a thread of its own. */
export function useLiteEmbedder(): Embedder {
  const thread = new Thread<string[], number[][]>(new URL('./use-lite-thread.ts', import.meta.url), { idleMs: IDLE_MS })
  return {
    model: 'use-lite-en-1',
    languages: ['en'],
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
