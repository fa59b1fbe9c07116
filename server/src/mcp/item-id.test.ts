import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../api/index.ts'
import { ITEM_TYPES, parseItemId } from './item-id.ts'

test('ids of items lead to endpoints of one item alone', () => {
  const paths: string[] = endpoints
    .filter(({ method, access }) => method === 'GET' && access === 'key')
    .map(({ path }) => path)
  for (const type of ITEM_TYPES) {
    const list = parseItemId(`${type}:x`)?.path.replace(/x$/, '') ?? assert.fail(type)
    assert.ok(paths.includes(`${list}:id`), type)
    const others = paths.filter((path) => path.startsWith(list)).map((path) => path.slice(list.length))
    for (const name of others.filter((rest) => !rest.includes('/') && rest !== ':id')) {
      assert.equal(parseItemId(`${type}:${name}`), undefined, `${type}:${name}`)
    }
  }
})

test('texts that would lead elsewhere or cannot be in a path are no ids', () => {
  for (const id of ['.', '..', '\ud800', '']) assert.equal(parseItemId(`asset:${id}`), undefined)
  assert.equal(parseItemId('asset:../admin?x=1')?.path, '/assets/..%2Fadmin%3Fx%3D1')
})
