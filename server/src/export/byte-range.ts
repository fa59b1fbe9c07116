/** The bytes from `start` up to and including `end`. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads a Range header for a file of `size` bytes (RFC 9110, 14). Returns undefined if the whole file is to be sent: without a
 * header, with one that is malformed or has several ranges. Throws a RangeError if no byte of the file is in the range.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    if (Number(last) === 0 || size === 0) throw new RangeError('no byte of the file is in the range')
    return { start: Math.max(0, size - Number(last)), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) throw new RangeError('no byte of the file is in the range')
  return { start, end }
}
