import { AsyncLocalStorage } from 'node:async_hooks'

/** The trace to which a request belongs, from its header `traceparent` (W3C Trace Context). */
export interface Trace {
  traceId: string
  /** The span of the caller. */
  parentId: string
  isSampled: boolean
  /** The header as it came, for requests on behalf of this one. */
  traceparent: string
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const traces = new AsyncLocalStorage<Trace>()

/** Returns undefined for a header that is not valid: it is ignored. */
export function parseTraceparent(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', parentId = '', flags = '', rest] = FORM.exec(header) ?? []
  // Only later versions may have further fields.
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId, parentId, isSampled, traceparent: `00-${traceId}-${parentId}-${flags}` }
}

/** Runs `work` as a part of the trace that the header names, if any. */
export function withTrace<T>(header: string | string[] | undefined, work: () => T): T {
  const trace = header === undefined ? undefined : parseTraceparent(header)
  return trace === undefined ? work() : traces.run(trace, work)
}

export const currentTrace = (): Trace | undefined => traces.getStore()

/** Returns the headers that a request on behalf of the current one needs. */
export function traceHeaders(): { traceparent?: string } {
  const trace = currentTrace()
  return trace === undefined ? {} : { traceparent: trace.traceparent }
}
