import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../model/errors.ts'
import { type Origin, Passwords } from './passwords.ts'

const passwords = new Passwords('a pepper of the test')

test('a hash is argon2id with a salt of its own, and verifies its password alone', async () => {
  const [one, other] = await Promise.all([
    passwords.hash('correct horse', 'unknown'),
    passwords.hash('correct horse', 'unknown'),
  ])
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.notEqual(one, other)
  assert.equal(await passwords.verify('correct horse', one, 'unknown'), true)
  assert.equal(await passwords.verify('correct horse ', one, 'unknown'), false)
  assert.equal(await new Passwords('another pepper').verify('correct horse', one, 'unknown'), false)
})

test('a password that arrives composed or decomposed is the same', async () => {
  const kept = await passwords.hash('caf\u00e9 au lait', 'unknown')
  assert.equal(await passwords.verify('cafe\u0301 au lait', kept, 'unknown'), true)
})

test('without a password every attempt is wrong', async () => {
  for (const none of [null, undefined]) assert.equal(await passwords.verify('', none, 'unknown'), false)
})

test('a flood is refused beyond a queue, and a known browser comes before it', async () => {
  const order: Origin[] = []
  const attempt = (origin: Origin) =>
    passwords.attempt(origin, async () => {
      await passwords.verify('guess', null, origin)
      order.push(origin)
    })
  const flood = Array.from({ length: 60 }, () => attempt('unknown'))
  const owner = { userId: 'owner' }
  const results = await Promise.allSettled([...flood, attempt(owner)])
  assertRefused(results, 60 - 32)
  assert.ok(order.indexOf(owner) <= 4, `the owner was number ${order.indexOf(owner)}`)
})

test('known users do not keep others waiting, nor one of them the rest', async () => {
  const order: string[] = []
  const attempt = (name: string, origin: Origin) =>
    passwords.attempt(origin, async () => {
      await passwords.verify('right', null, origin)
      order.push(name)
    })
  const eve = Array.from({ length: 40 }, () => attempt('eve', { userId: 'eve' }))
  const others = ['owner', 'b', 'c', 'd', 'e', 'f'].map((name) => attempt(name, { userId: name }))
  assertRefused(await Promise.allSettled([...eve, ...others, attempt('new', 'unknown')]), 38)
  assert.ok(order.indexOf('owner') <= 4, `the owner was number ${order.indexOf('owner')}`)
  assert.ok(order.indexOf('new') <= 5, `the new browser was number ${order.indexOf('new')}`)
})

function assertRefused(results: readonly PromiseSettledResult<unknown>[], count: number): void {
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(refused.length, count)
  for (const error of refused) {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.statusCode, error.retryAfterSeconds], [429, 5])
  }
}
