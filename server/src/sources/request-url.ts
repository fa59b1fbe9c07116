/** Returns the address of a request. Parameters that are null are left out. */
export function requestUrl(base: string, path: string, parameters: Record<string, string | number | null>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? base + path : `${base}${path}?${query}`
}

/** Returns Unix seconds for epoch milliseconds. */
export const unixSeconds = (epochMs: number): number => Math.floor(epochMs / 1_000)
