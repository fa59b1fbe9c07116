import { traceHeaders } from '../../trace.ts'
import { type Embedder, unitVector } from './embedder.ts'

const TIMEOUT_MS = 30_000
const BATCH_SIZE = 64

interface EmbeddingsResponse {
  data?: { index?: number; embedding?: number[] }[]
}

/** Creates an embedder that calls an OpenAI-compatible API. The URL ends in /v1. */
export function openAiEmbedder(options: { url: string; model: string; key: string | undefined }): Embedder {
  const { url, model, key } = options

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    const response = await fetch(`${url}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...traceHeaders(),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      // Some services refuse an empty text.
      body: JSON.stringify({ model, input: texts.map((text) => text || ' '), encoding_format: 'float' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`EMBEDDINGS_URL responded with status ${response.status}`)
    const { data = [] } = (await response.json()) as EmbeddingsResponse
    const vectors = texts.map((_, wanted) => data.find(({ index }, at) => (index ?? at) === wanted)?.embedding)
    return vectors.map((vector) => {
      if (!Array.isArray(vector) || vector.length === 0)
        throw new Error('EMBEDDINGS_URL responded without a vector for each text')
      return unitVector(vector)
    })
  }

  return {
    model: `openai:${model}`,
    languages: undefined,
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += BATCH_SIZE) {
        vectors.push(...(await embedBatch(texts.slice(start, start + BATCH_SIZE))))
      }
      return vectors
    },
    close: async () => {},
  }
}
