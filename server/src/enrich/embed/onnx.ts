import { basename } from 'node:path'
import type { Embedder } from './embedder.ts'
import { threadEmbedder } from './thread-embedder.ts'

/** Creates an embedder from a folder with a sentence encoder in the Hugging Face layout. */
export function onnxEmbedder(folder: string): Embedder {
  return threadEmbedder({
    model: `onnx:${basename(folder)}`,
    languages: undefined,
    module: new URL('./onnx-thread.ts', import.meta.url),
    data: { folder },
    idleMs: 300_000,
  })
}
