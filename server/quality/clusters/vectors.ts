import { builtInEmbedder } from '../../src/enrich/embed/built-in.ts'
import { embeddedText } from '../../src/enrich/embed/embedded-text.ts'

/** What the built-in model makes of entries. */
export async function vectorsOf(entries: readonly { title: string; content: string }[]): Promise<Float32Array[]> {
  const embedder = builtInEmbedder()
  const vectors = await embedder.embed(entries.map(({ title, content }) => embeddedText(title, content)))
  await embedder.close()
  return vectors
}
