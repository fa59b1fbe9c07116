import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInTopics } from '../../src/catalogue/built-in/topics.ts'
import { TopicClassifier } from '../../src/enrich/topics/classifier.ts'
import { topicRules } from '../../src/enrich/topics/rules.ts'
import { heldOutLines } from './held-out.ts'
import { measureTopics } from './measure.ts'
import { parseLabelled, treeOf } from './parse.ts'
import { tuningLines } from './tuning.ts'

const sampleTree = treeOf(builtInTopics)
const classifier = new TopicClassifier(topicRules(sampleTree))

function classified(lines: string) {
  return parseLabelled(lines).map((row) => ({ ...row, found: classifier.classify(row.text, row.assets) }))
}

test('every label is a topic of the tree', () => {
  const slugs = new Set(sampleTree.map(({ slug }) => slug))
  for (const { text, topics, optional } of parseLabelled(heldOutLines + tuningLines)) {
    for (const slug of [...topics, ...optional]) assert.ok(slugs.has(slug), `${slug}: ${text.title}`)
  }
})

test('precision and recall on held-out headlines are at least 0.9', (context) => {
  const { precision, recall, f1 } = measureTopics(classified(heldOutLines))
  context.diagnostic(`precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`)
  assert.ok(precision >= 0.9 && recall >= 0.9, `${precision} ${recall}`)
})

test('precision and recall on tuning headlines are at least 0.95', (context) => {
  const { precision, recall, f1 } = measureTopics(classified(tuningLines))
  context.diagnostic(`precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`)
  assert.ok(precision >= 0.95 && recall >= 0.95, `${precision} ${recall}`)
})

test('nine of ten held-out headlines about nothing in the tree get no topic', () => {
  const everyday = classified(heldOutLines).filter(({ topics, optional }) => topics.length + optional.length === 0)
  assert.ok(everyday.length >= 40)
  const quiet = everyday.filter(({ found }) => found.length === 0)
  assert.ok(quiet.length >= everyday.length * 0.9, `${quiet.length} of ${everyday.length}`)
})

test('scores count pairs of text and topic, and leave optional topics out', () => {
  const rows = [
    { found: ['a', 'b'], topics: ['a', 'c'], optional: ['b'] },
    { found: ['d'], topics: [] },
  ]
  assert.deepEqual(measureTopics(rows), { precision: 0.5, recall: 0.5, f1: 0.5 })
  assert.deepEqual(measureTopics([]), { precision: 1, recall: 1, f1: 1 })
})
