import type { TSchema } from 'typebox'
import { redactKeys } from '../admission/key.ts'
import type { AnyEndpoint } from './endpoint.ts'

const MAX_LENGTH = 300

/** Allows the text of a body field in the audit trail. Other texts are left out: they may be secret or personal. */
export function recorded<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { 'x-recorded': true })
}

/** Returns the input of an operator's request in short: numbers, flags and known values, but no texts of its own. */
export function summaryOf(
  endpoint: Pick<AnyEndpoint<never>, 'body'>,
  params: Record<string, string>,
  body: unknown,
): string | null {
  // The first parameter of a path is the target.
  const others = Object.entries(params).slice(1)
  const fields = endpoint.body === undefined ? [] : shownFields(endpoint.body, body)
  const text = [...others.map(([name, value]) => `${name}=${value}`), ...fields].join(', ')
  return text === '' ? null : redactKeys(text).slice(0, MAX_LENGTH)
}

interface Described {
  enum?: unknown
  properties?: Record<string, Described>
  'x-recorded'?: boolean
}

function shownFields({ properties = {} }: Described, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, field]) => `${name}=${shown(properties[name] ?? {}, field)}`)
}

function shown(schema: Described, value: unknown): string {
  if (typeof value === 'string') return schema.enum || schema['x-recorded'] ? JSON.stringify(value) : '…'
  if (Array.isArray(value)) return `[${value.length}]`
  return typeof value === 'object' && value !== null ? `{${shownFields(schema, value).join(', ')}}` : String(value)
}
