import type { Embedder } from './embedder.ts'
import { threadEmbedder } from './thread-embedder.ts'

/** Creates the built-in embedder, Universal Sentence Encoder lite. The model loads in a third of a second. */
export function builtInEmbedder(): Embedder {
  return threadEmbedder({
    model: 'use-lite-en-1',
    languages: ['en'],
    module: new URL('./built-in-thread.ts', import.meta.url),
    idleMs: 60_000,
    threads: 2,
  })
}
