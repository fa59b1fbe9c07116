/** Worker thread: runs a sentence encoder in ONNX form with @huggingface/transformers, which the operator installs. */
import { basename, dirname } from 'node:path'
import { workerData } from 'node:worker_threads'
import { answerRequests } from '../../thread.ts'

type Extract = (texts: string[], options: object) => Promise<{ tolist(): number[][] }>

interface Transformers {
  env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extract>
}

const { folder }: { folder: string } = workerData

async function load(): Promise<Extract> {
  // The package is optional, so the compiler must not resolve it.
  const name: string = '@huggingface/transformers'
  const transformers: Transformers = await import(name).catch(() => {
    throw new Error(`EMBEDDINGS_MODEL_DIR needs the package ${name}: npm install ${name}`)
  })
  transformers.env.allowRemoteModels = false
  transformers.env.localModelPath = dirname(folder)
  return transformers.pipeline('feature-extraction', basename(folder), { local_files_only: true })
}

const loaded = load()
loaded.catch(() => {})

answerRequests(async (texts: string[]) => {
  const extract = await loaded
  return (await extract(texts, { pooling: 'mean', normalize: true })).tolist()
})
