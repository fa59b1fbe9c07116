import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isStopWord, queryStem } from './query-terms.ts'
import { relatedWords } from './related-words.ts'

const lines = readFileSync(new URL('./related-words.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

test('a stem has one line, with forms that have this stem and with stems that have a line', () => {
  const stems = new Set(lines.map((line) => line.split(' ')[0]))
  assert.equal(stems.size, lines.length)
  for (const line of lines) {
    const [stem = '', forms = '', ...related] = line.split(' ')
    assert.ok(
      forms.split(',').every((form) => queryStem(form) === stem && !isStopWord(form)),
      line,
    )
    assert.ok(
      related.every((other) => other !== stem && stems.has(other)),
      line,
    )
  }
})

test('an unknown or hostile stem has no related words', () => {
  for (const stem of ['', ' ', 'blorptang', '__proto__', 'constructor', '\n', '市场', 'x'.repeat(20_000)]) {
    assert.deepEqual(relatedWords(stem), [], stem)
  }
})
