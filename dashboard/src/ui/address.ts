import { useLocation } from 'preact-iso'

type Values = Record<string, string | undefined>

/** The parameters in the address of the page, so that a view can be shared and Back works. */
export function useAddress() {
  const { path, query, route } = useLocation()
  /** Returns the address of this page with some parameters changed; undefined removes one. */
  const linkTo = (changes: Values) => addressOf(path, { ...query, ...changes })
  return { path, values: query as Readonly<Record<string, string>>, linkTo, route }
}

/** Returns the address of a page with parameters. */
export function addressOf(path: string, values: Values): string {
  const query = new URLSearchParams(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  )
  return query.size === 0 ? path : `${path}?${query}`
}
