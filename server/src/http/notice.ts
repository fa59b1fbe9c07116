import type { EmptyBefore } from '../model/paging.ts'
import { isoTime } from '../model/time.ts'
import type { AnyEndpoint } from './endpoint.ts'
import type { ParamMarks } from './params.ts'

/** The parts of a list that tell whether and why it is empty. */
interface Listed {
  totalCount?: number
  meta?: { count?: number }
  emptyBefore?: EmptyBefore
}

/** Returns the value of X-Notice for an empty list whose range of time cannot match: it is a likely mistake. */
export function noticeOf(
  endpoint: AnyEndpoint<never>,
  query: Record<string, unknown>,
  result: unknown,
  now: number,
): string | undefined {
  const { totalCount, meta, emptyBefore } = (result ?? {}) as Listed
  if ((totalCount ?? meta?.count) !== 0) return undefined
  for (const [name, value] of Object.entries(query)) {
    const param: ParamMarks = endpoint.query?.properties[name] ?? {}
    if (name.endsWith('After') && typeof value === 'number' && value > now && !param['x-future'])
      return `${name} is in the future, so nothing matches`
  }
  return emptyBefore && `${emptyBefore.filter} is before the first record, which is of ${isoTime(emptyBefore.startsAt)}`
}
