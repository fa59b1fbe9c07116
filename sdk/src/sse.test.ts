import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventParser, type ServerSentEvent } from './sse.ts'

const line = fc.string({ unit: fc.constantFrom('a', 'é', '🙂', ' ', ':', '{', '"') })
const sent = fc.record({
  id: fc.nat(),
  event: fc.constantFrom('signal', 'ready'),
  data: fc.array(line, { minLength: 1 }),
})

/** Returns the events that the bytes hold, received in chunks of the given sizes in turn. */
function parse(bytes: Uint8Array, sizes: readonly number[]): ServerSentEvent[] {
  const parser = new EventParser()
  const events: ServerSentEvent[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const end = start + (sizes[turn % sizes.length] ?? 1)
    events.push(...parser.push(bytes.subarray(start, end)))
    start = end
  }
  return events
}

test('events are the same in any chunks and with any line breaks', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(sent), fc.constantFrom('\n', '\r\n', '\r'), sizes, (events, end, sizes) => {
      const text = events.map(({ id, event, data }) =>
        [`id: ${id}`, `event: ${event}`, ...data.map((part) => `data: ${part}`), '', ''].join(end),
      )
      // The last carriage return may be half of a line break, so something must follow.
      const bytes = new TextEncoder().encode(`\ufeffretry: 3000${end}${end}: comment${end}${text.join('')}:`)
      assert.deepEqual(
        parse(bytes, sizes),
        events.map(({ id, event, data }) => ({ id: String(id), event, data: data.join('\n') })),
      )
    }),
  )
})

test('an event that is not complete is not dispatched', () => {
  const bytes = new TextEncoder().encode('id: 1\nevent: signal\ndata: {}\n')
  assert.deepEqual(parse(bytes, [4]), [])
})
