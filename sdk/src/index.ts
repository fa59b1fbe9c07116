/** The data API and the account API. The operator API is in `mintick-client/admin`. */
export { Call, type WithResponse } from './call.ts'
export {
  ApiError,
  ConnectionError,
  type FieldError,
  MintickError,
  SecretLostError,
  StreamGapError,
  TimeoutError,
} from './errors.ts'
export { ExportError, type ExportOptions, type ExportParams, Exports } from './exports.ts'
export type { FieldSelection, Selected } from './fields.ts'
export * from './generated/api.ts'
export * from './generated/errors.ts'
export { ListCall, Page } from './page.ts'
export type { RateLimit, ResponseInfo } from './response.ts'
export { EventStream, type StreamEvent, type StreamState } from './stream.ts'
export { type Params, type RequestOptions, Transport, type TransportOptions } from './transport.ts'
