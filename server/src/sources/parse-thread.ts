/** Worker thread: parses the answers of sources. */
import { answerRequests } from '../thread.ts'
import { type ParseKind, type ParseOptions, parseAnswer } from './parse-answer.ts'

export interface ParseRequest {
  kind: ParseKind
  bytes: Uint8Array
  options: ParseOptions
}

answerRequests(({ kind, bytes, options }: ParseRequest): unknown => parseAnswer(kind, bytes, options))
