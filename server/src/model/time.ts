/** Times are epoch milliseconds inside and ISO 8601 in UTC at the edge. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()

export const isoTimeOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : isoTime(epochMs))

/** The UTC day as 2026-01-31. */
export const isoDay = (epochMs: number): string => isoTime(epochMs).slice(0, 10)
