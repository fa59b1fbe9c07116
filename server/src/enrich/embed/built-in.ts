import type { Embedder } from './embedder.ts'
import { threadEmbedder } from './thread-embedder.ts'

/** The encoder that comes with Mintick: Universal Sentence Encoder lite. It is loaded again in a third of a second. */
export function builtInEmbedder(): Embedder {
  return threadEmbedder({
    model: 'use-lite-en-1',
    languages: ['en'],
    module: new URL('./built-in-thread.ts', import.meta.url),
    idleMs: 60_000,
  })
}
