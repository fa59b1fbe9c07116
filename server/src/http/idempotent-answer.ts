import { SECRET_FORMAT } from '../model/schema.ts'
import type { AnyEndpoint } from './endpoint.ts'

/** Returns the body as it may be stored. */
export function withoutSecrets(body: string, endpoint: AnyEndpoint<never>): string {
  const names = secretsOf(endpoint)
  if (names.length === 0) return body
  const { data, ...rest } = JSON.parse(body)
  for (const name of names) delete data[name]
  return JSON.stringify({ ...rest, data })
}

/** Headers of an answer that repeats an earlier one. */
export function replayHeaders(endpoint: AnyEndpoint<never>): Record<string, string> {
  const [name] = secretsOf(endpoint)
  const headers = { 'idempotent-replayed': 'true' }
  if (name === undefined) return headers
  return { ...headers, 'x-notice': `${name} was in the first answer only: it is not stored` }
}

/** Returns the fields of the endpoint's object that are secret. */
export function secretsOf({ data }: AnyEndpoint<never>): string[] {
  const { properties = {} } = data as { properties?: Record<string, { format?: string }> }
  return Object.keys(properties).filter((name) => properties[name]?.format === SECRET_FORMAT)
}
