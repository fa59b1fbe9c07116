const LONGEST_URL = 2_048

/** An address that a browser may open; undefined when it is none. */
export function webUrl(text: string): URL | undefined {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined
  return url.href.length > LONGEST_URL ? undefined : url
}
