/** Returns the value of a line; undefined if it is not JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''), ESCAPED_INVALID.test(text) ? removeInvalid : undefined)
  } catch {
    return undefined
  }
}

/** NUL and unpaired surrogates, which no store can keep and which requests refuse. */
const ESCAPED_INVALID = /\\u(?:0000|d[89a-f])/i

const removeInvalid = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
