import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { ITEM_TYPES, itemId, parseItemId } from './item-id.ts'
import { renderItem } from './item-text.ts'
import { MAX_CHARS } from './text.ts'

const NOTE = 'Cost: 1 credit, 9 left.'

describe('the text of an item', () => {
  test('never exceeds the limit, whatever the item has, and ends with its cost', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (item) => {
        const text = renderItem('entry', item as Record<string, unknown>, [NOTE])
        assert.ok(text.length <= MAX_CHARS)
        assert.ok(text.endsWith(NOTE))
        assert.equal(renderItem('entry', item as Record<string, unknown>, [NOTE]), text)
      }),
      { numRuns: runs(200, 3_000) },
    )
    const huge = Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`field${place}`, 'x'.repeat(5_000)]))
    const text = renderItem('entry', huge, [NOTE])
    assert.ok(text.length <= MAX_CHARS && text.length > MAX_CHARS - 2_000)
    assert.ok(text.endsWith(`… the rest is left out: the item is too long\n${NOTE}`))
  })

  test('names other items by ids that get_item takes', () => {
    const text = renderItem(
      'signal',
      {
        id: 'a',
        assetId: 'left out',
        assetKey: 'AAPL',
        entryIds: ['b', 'c'],
        clusterId: 'd',
        secRecords: [{ dataset: 'insider-trades', id: 'e' }],
        outcomes: [{ id: 'yes', label: 'Yes' }],
        outcome: { returnPercent: 1.5, isHit: true },
        metrics: null,
        createdAt: '2026-03-02T10:20:30.400Z',
        generatedAt: '2026-03-02T10:20:30.400Z',
      },
      ['Next', NOTE],
    )
    assert.equal(
      text,
      [
        'id: signal:a',
        'assetKey: asset:AAPL',
        'entryIds: entry:b, entry:c',
        'clusterId: cluster:d',
        'secRecords: insider-trades:e',
        'outcomes (id | label):',
        '  yes | Yes',
        'outcome.returnPercent: 1.5',
        'outcome.isHit: yes',
        'generatedAt: 2026-03-02T10:20Z',
        'Next',
        NOTE,
      ].join('\n'),
    )
  })

  test('shows a series evenly, with its first and last point', () => {
    const points = Array.from({ length: 101 }, (_, at) => ({
      at: `2026-03-02T10:20:${at}`,
      probabilities: { yes: at },
    }))
    const lines = renderItem('prediction-market', { history: { points } }, [NOTE]).split('\n')
    assert.equal(lines[0], 'history.points (at | yes, 20 of 101):')
    assert.equal(lines[1], '  2026-03-02T10:20Z | 0')
    assert.equal(lines[20], '  2026-03-02T10:20Z | 100')
  })
})

describe('the id of an item', () => {
  test('every type is read back', () => {
    for (const type of ITEM_TYPES) {
      const { path, ...read } = parseItemId(itemId(type, 'BP.L')) ?? {}
      assert.deepEqual(read, { type, id: 'BP.L' })
      assert.ok(path?.endsWith('/BP.L'))
    }
  })

  test('texts that are none, or would lead to another path, are refused', () => {
    for (const text of ['', 'entry', 'entry:', 'nope:x', ':x', 'entry:.', 'entry:..', '__proto__:x', 'toString:x']) {
      assert.equal(parseItemId(text), undefined, text)
    }
    assert.equal(parseItemId('entry:../../account')?.path, '/entries/..%2F..%2Faccount')
    assert.equal(parseItemId('asset:a?b#c')?.path, '/assets/a%3Fb%23c')
  })
})
