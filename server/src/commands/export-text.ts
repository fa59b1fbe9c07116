import type { adminClient } from './admin-client.ts'

type Part = Record<string, unknown> & { next: string | null }

/** Yields an export as the text of one JSON object, part by part, so that memory is bounded. */
export async function* exportText(api: ReturnType<typeof adminClient>, path: string): AsyncGenerator<string> {
  let part = await api<Part>('GET', path)
  const names = Object.keys(part).filter((name) => name !== 'next')
  let separator = '{\n'
  for (const name of names) {
    yield `${separator}${JSON.stringify(name)}: `
    separator = ',\n'
    const value = part[name]
    if (!Array.isArray(value)) {
      yield JSON.stringify(value)
      continue
    }
    yield* lines('[', value)
    let isEmpty = value.length === 0
    // The rest of a list is in the parts that follow, until a part reaches the lists after it.
    const later = names.slice(names.indexOf(name) + 1)
    while (part.next !== null && later.every((other) => isEmptyList(part[other]))) {
      const next: Part = await api<Part>('GET', `${path}?from=${part.next}`)
      const more = next[name]
      if (Array.isArray(more) && more.length > 0) {
        yield* lines(isEmpty ? '' : ',', more)
        isEmpty = false
      }
      part = next
    }
    yield ']'
  }
  yield '\n}\n'
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

function* lines(start: string, records: readonly unknown[]): Generator<string> {
  yield `${start}${records.map((record) => JSON.stringify(record)).join(',\n')}`
}
