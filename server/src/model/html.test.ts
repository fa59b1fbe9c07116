import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { runs } from '../../test/depth.ts'
import { html } from './html.ts'

/** What a reader of HTML makes of it: tags with their attributes, texts joined, comments. */
function eventsOf(text: string): unknown[] {
  const events: unknown[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => events.push(['open', name, { ...attributes }]),
    onclosetag: (name) => events.push(['close', name]),
    oncomment: (comment) => events.push(['comment', comment]),
    onprocessinginstruction: (name) => events.push(['instruction', name]),
    ontext(more) {
      const last = events.at(-1)
      if (Array.isArray(last) && last[0] === 'text') last[1] += more
      else events.push(['text', more])
    },
  })
  parser.end(text)
  return events
}

const textEvent = (text: string) => (text === '' ? [] : [['text', text]])

/** Texts that would be something else if they were not escaped. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '&amp;',
        '&#60;',
        '&lt',
        '<!--',
        '-->',
        '</p>',
        '<script>',
        ' onload=',
        '`',
      ),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join(''))

describe('html', () => {
  test('any text is read back as it was, in an element and in an attribute of either quotes', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (text, double, single) => {
        const { text: written } = html`<p title="${double}" class='${single}'>${text}</p>`
        assert.deepEqual(eventsOf(written), [
          ['open', 'p', { title: double, class: single }],
          ...textEvent(text),
          ['close', 'p'],
        ])
      }),
      { numRuns: runs(200, 2_000) },
    )
  })

  test('HTML inside HTML passes, alone or in lists, and what was put into it stays escaped once', () => {
    fc.assert(
      fc.property(fc.array(hostile), hostile, (items, last) => {
        const list = items.map((item) => html`<li>${item}</li>`)
        const { text } = html`<ul>${list}</ul>${[[html`<b>${last}</b>`]]}`
        const expected = [
          ['open', 'ul', {}],
          ...items.flatMap((item) => [['open', 'li', {}], ...textEvent(item), ['close', 'li']]),
          ['close', 'ul'],
          ['open', 'b', {}],
          ...textEvent(last),
          ['close', 'b'],
        ]
        assert.deepEqual(eventsOf(text), expected)
      }),
    )
  })

  test('texts in a list are escaped, numbers are written, undefined leaves nothing', () => {
    assert.equal(html`${['<', '>']}${0}${-1.5}${undefined}${''}`.text, '&#60;&#62;0-1.5')
  })

  test('an object that only looks like HTML does not pass', () => {
    const forged = JSON.parse('{"text":"<b>"}')
    assert.throws(() => html`${forged}`)
  })
})
