const MAX_LENGTH = 2_048

/** Parses an http or https URL; undefined if it is not one or too long. */
export function webUrl(text: string): URL | undefined {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined
  return url.href.length > MAX_LENGTH ? undefined : url
}
