import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import Stripe from 'stripe'
import { decodeForm, type Form, FormError } from './form.ts'

const name = fc.stringMatching(/^[a-z_]{1,8}$/)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.array(tie('tree'), { minLength: 1, maxLength: 12, size: 'small' }),
    fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 3, size: 'small' }),
  ),
}))
const someForm = fc.dictionary(name, tree, { maxKeys: 4 })

test('decodes what the SDK encodes, in bodies and in URLs', async () => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    const text = request.method === 'POST' ? body : (request.url ?? '').split('?')[1]
    response.end(JSON.stringify({ decoded: decodeForm(text ?? '') }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http' })
  try {
    await fc.assert(
      fc.asyncProperty(someForm, fc.constantFrom('GET', 'POST'), async (form, method) => {
        const sent = { ...form, metadata: { plain: 'text' } }
        const reply = (await (method === 'POST'
          ? stripe.customers.create(sent as object)
          : stripe.customers.list(sent as object))) as unknown as { decoded: Form }
        assert.deepEqual(reply.decoded, JSON.parse(JSON.stringify(sent)))
      }),
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('decodes arrays with and without indexes, maps and strings', () => {
  assert.deepEqual(decodeForm('expand[]=a&expand[]=b&items[0][price]=p&items[0][quantity]=1&x=1+2%2B3&y='), {
    expand: ['a', 'b'],
    items: [{ price: 'p', quantity: '1' }],
    x: '1 2+3',
    y: '',
  })
})

test('numbers that do not count up from 0 are names of a map', () => {
  assert.deepEqual(decodeForm('a[1]=x&a[2]=y'), { a: { 1: 'x', 2: 'y' } })
})

test('__proto__ is an ordinary name', () => {
  const form = decodeForm('metadata[__proto__]=x&__proto__[y]=z')
  assert.deepEqual(Object.keys(form), ['metadata', '__proto__'])
  assert.equal(({} as Record<string, unknown>).y, undefined)
})

test('malformed forms are refused', () => {
  const long = Array.from({ length: 1_001 }, (_, index) => `a[${index}]=1`).join('&')
  const deep = `a${'[b]'.repeat(9)}=1`
  for (const text of ['a[=1', '[a]=1', 'a]b=1', '=1', 'a=%zz', 'a=1&a[b]=2', 'a[b]=1&a=2', long, deep]) {
    assert.throws(() => decodeForm(text), FormError, text.slice(0, 20))
  }
})
