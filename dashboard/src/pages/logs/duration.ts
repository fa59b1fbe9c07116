/** Formats a duration of a request. */
export const formatDuration = (ms: number): string =>
  ms < 1_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`
