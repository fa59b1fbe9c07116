import { isoTime } from '../../model/time.ts'
import type { Queryable } from '../db.ts'
import type { History } from '../lists/past-query.ts'

/** A version is known from known_from to known_to. It is never known before the signal was generated. */
export const SIGNAL_HISTORY: History = {
  from: 'known_from',
  past: ({ status, ...filters }, asOf) => ({
    ...filters,
    ...(filters.generatedBefore === undefined
      ? { generatedBy: asOf }
      : { generatedBefore: Math.min(asOf, Number(filters.generatedBefore)) }),
    ...(status !== undefined && { statusAt: { time: asOf, statuses: status } }),
    knownAt: asOf,
  }),
  ever({ status, ...filters }) {
    if (status === undefined) return [{ filters, from: 'known_from', to: 'known_to' }]
    const statuses = status as readonly string[]
    const [replaced, others] = [
      { ...filters, isSuperseded: true },
      { ...filters, isSuperseded: false },
    ]
    return [
      { status: 'superseded', filters: replaced, from: 'known_from', to: 'known_to' },
      { status: 'active', filters: others, from: 'known_from', to: 'active_to' },
      { status: 'expired', filters: others, from: 'active_to', to: 'known_to' },
    ].filter((known) => statuses.includes(known.status))
  },
  restate: (rows, asOf) => rows.restated(STATUS, (docs) => docs.map((doc) => versionAsOf(doc, asOf))),
}

/** Finds the version of a signal that was known at a time. */
export async function findVersion(db: Queryable, signalId: string, asOf: number): Promise<string | undefined> {
  const [row] = await db.query<{ doc: string }>(
    `select r.doc from signal_versions t join signal_versions_docs r on r.seq = t.seq
     where t.signal_id = $1 and t.known_from <= $2 and (t.known_to is null or t.known_to > $2)
     order by t.known_from desc, t.seq desc limit 1`,
    [signalId, asOf],
  )
  return row && versionAsOf(row.doc, asOf)
}

const STATUS = '"status":"'
const ACTIVE = `${STATUS}active"`
const EXPIRED = `${STATUS}expired"`
const EXPIRES_AT = /"expiresAt":"([^"]+)"/
const OUTCOME = /"outcome":\{"evaluatedAt":"([^"]+)"[^}]*\}/

/**
 * Returns the document of a version at a time. Versions are stored as active or superseded, with their outcome. Replaces
 * text, which costs a tenth of parsing the document; quotes inside of strings are escaped, so only fields match.
 */
function versionAsOf(doc: string, asOf: number): string {
  const time = isoTime(asOf)
  const [, expiresAt = ''] = EXPIRES_AT.exec(doc) ?? []
  const [outcome = '', evaluatedAt = ''] = OUTCOME.exec(doc) ?? []
  const known = evaluatedAt > time ? doc.replace(outcome, '"outcome":null') : doc
  return expiresAt <= time ? known.replace(ACTIVE, EXPIRED) : known
}
