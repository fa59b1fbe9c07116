import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Part, Parts } from './parts.ts'

function recorder() {
  const events: string[] = []
  const part = (name: string, fails?: 'start' | 'stop'): Part => {
    const step = (action: 'start' | 'stop') => async () => {
      if (fails === action) throw new Error(`${name} fails to ${action}`)
      events.push(`${action} ${name}`)
    }
    return { start: step('start'), stop: step('stop') }
  }
  return { events, part }
}

test('parts start in order and stop in reverse', async () => {
  const { events, part } = recorder()
  const parts = new Parts()
  parts.add({ close: () => void events.push('close store') })
  await parts.start(part('a'))
  await parts.start(part('b'))
  await parts.stop()
  assert.deepEqual(events, ['start a', 'start b', 'stop b', 'stop a', 'close store'])
})

test('a part that fails to start is not stopped; those before it are', async () => {
  const { events, part } = recorder()
  const parts = new Parts()
  await parts.start(part('a'))
  await assert.rejects(parts.start(part('b', 'start')), /b fails to start/)
  await parts.stop()
  assert.deepEqual(events, ['start a', 'stop a'])
})

test('a part that fails to stop does not keep the others running', async () => {
  const { events, part } = recorder()
  const parts = new Parts()
  await parts.start(part('a'))
  await parts.start(part('b', 'stop'))
  await parts.start(part('c'))
  await assert.rejects(parts.stop(), /b fails to stop/)
  assert.deepEqual(events, ['start a', 'start b', 'start c', 'stop c', 'stop a'])
})

test('stopping twice stops each part once', async () => {
  const { events, part } = recorder()
  const parts = new Parts()
  await parts.start(part('a'))
  await Promise.all([parts.stop(), parts.stop()])
  assert.deepEqual(events, ['start a', 'stop a'])
})
