import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LexicalScores } from './lexical.ts'

const TERMS = [
  { stem: 'oil', forms: ['oil', 'oils'], weight: 2, related: ['crude'], relatedWeight: 1 },
  { stem: 'tax', forms: ['tax', 'taxes'], weight: 3, related: ['levy', 'crude'], relatedWeight: 2 },
]

const words = fc.array(fc.constantFrom('oil', 'tax', 'taxes', 'gold', 'rises', 'today'), { maxLength: 12 })
const line = words.map((list) => list.join(' '))

function scoresOf(entries: readonly { title: string; text: string }[]) {
  const scores = new LexicalScores(TERMS)
  scores.add(entries.map((entry, seq) => ({ ...entry, seq, publishedAt: 0 })))
  return [...scores.scores().values()]
}

test('the score of a headline does not depend on the texts of other entries', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.tuple(line, line)), (headlines, articles) => {
      const bare = headlines.map((title) => ({ title, text: '' }))
      const without = scoresOf([...bare, ...articles.map(([title]) => ({ title, text: '' }))])
      const beside = scoresOf([...bare, ...articles.map(([title, text]) => ({ title, text: text.repeat(50) }))])
      assert.deepEqual(beside.slice(0, bare.length), without.slice(0, bare.length))
    }),
  )
})

test('coverage is the share of the weight of the terms in title and text, and one more term never lowers a score', () => {
  fc.assert(
    fc.property(line, line, (title, text) => {
      const [one, more] = scoresOf([
        { title, text: `${text} gold` },
        { title, text: `${text} oil` },
      ])
      const has = (form: RegExp) => form.test(`${title} ${text}`)
      const covered = (has(/\boil\b/) ? 2 : 0) + (has(/\btax/) ? 3 : 0)
      assert.ok(Math.abs((one?.coverage ?? -1) - covered / 5) < 1e-9)
      assert.ok((more?.score ?? 0) > (one?.score ?? 0))
    }),
  )
})

test('a title with all terms scores about 1, a text that has them less', () => {
  const [title, text] = scoresOf([
    { title: 'Oil tax', text: '' },
    { title: 'Morning briefing', text: 'Oil prices fell. A tax on gold was dropped.' },
  ])
  assert.ok(Math.abs((title?.score ?? 0) - 1) < 0.05)
  assert.ok((text?.score ?? 0) > 0.3 && (text?.score ?? 0) < 0.9)
})

test('a related word counts less than the word itself, once for each term, and nothing beside it', () => {
  const [word, related, both, none] = scoresOf([
    { title: 'Oil tax', text: '' },
    { title: 'Crude levy', text: '' },
    { title: 'Oil tax', text: 'Crude levy' },
    { title: 'Gold mine', text: '' },
  ])
  assert.deepEqual(
    [word, related, both, none].map((one) => one?.coverage),
    [1, 3 / 5, 1, 0],
  )
  assert.ok((related?.score ?? 0) > 0 && (related?.score ?? 0) < (word?.score ?? 0))
  assert.equal(both?.score, word?.score)
})
