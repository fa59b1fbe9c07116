import { basename } from 'node:path'
import type { Embedder } from './embedder.ts'
import { threadEmbedder } from './thread-embedder.ts'

/** A sentence encoder in a folder of the machine, in the layout that Hugging Face gives them. */
export function onnxEmbedder(folder: string): Embedder {
  return threadEmbedder({
    model: `onnx:${basename(folder)}`,
    languages: undefined,
    module: new URL('./onnx-thread.ts', import.meta.url),
    data: { folder },
    idleMs: 300_000,
  })
}
