import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorError, readConfig } from '../config.ts'
import { readPaymentSettings } from './payment-settings.ts'

const KEY = 'sk_test_hunter2'
const SECRET = 'whsec_hunter2'
const STRIPE = { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: SECRET }

const of = (env: Record<string, string>) => readPaymentSettings(readConfig(env))

function refusalOf(env: Record<string, string>): string {
  try {
    of(env)
  } catch (error) {
    assert.ok(error instanceof OperatorError, String(error))
    assert.doesNotMatch(error.message, /hunter2|\n/)
    return error.message
  }
  assert.fail(`accepted ${JSON.stringify(env)}`)
}

describe('payments', () => {
  test('both secrets of Stripe select Stripe, whatever PAYMENTS_SANDBOX is', () => {
    for (const NODE_ENV of ['', 'production']) {
      for (const PAYMENTS_SANDBOX of ['on', 'off', 'force']) {
        const expected = { kind: 'stripe', secretKey: KEY, webhookSecret: SECRET }
        assert.deepEqual(of({ ...STRIPE, NODE_ENV, PAYMENTS_SANDBOX }), expected)
      }
    }
  })

  test('one secret without the other is refused with the name of the missing one', () => {
    for (const more of [{}, { PAYMENTS_SANDBOX: 'off' }, { NODE_ENV: 'production' }]) {
      assert.match(refusalOf({ STRIPE_SECRET_KEY: KEY, ...more }), /^STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET/)
      assert.match(refusalOf({ STRIPE_WEBHOOK_SECRET: SECRET, ...more }), /without STRIPE_SECRET_KEY/)
    }
  })

  test('no secrets select the sandbox, unless it is off', () => {
    for (const NODE_ENV of ['', 'development', 'test', 'Production']) {
      assert.deepEqual(of({ NODE_ENV }), { kind: 'sandbox' })
      assert.deepEqual(of({ NODE_ENV, PAYMENTS_SANDBOX: 'force' }), { kind: 'sandbox' })
      assert.deepEqual(of({ NODE_ENV, PAYMENTS_SANDBOX: 'off' }), { kind: 'off' })
    }
  })

  test('in production the sandbox must be forced; the error names the three options', () => {
    const NODE_ENV = 'production'
    for (const way of ['STRIPE_SECRET_KEY', 'PAYMENTS_SANDBOX=off', 'PAYMENTS_SANDBOX=force']) {
      assert.ok(refusalOf({ NODE_ENV }).includes(way))
    }
    assert.deepEqual(of({ NODE_ENV, PAYMENTS_SANDBOX: 'force' }), { kind: 'sandbox' })
    assert.deepEqual(of({ NODE_ENV, PAYMENTS_SANDBOX: 'off' }), { kind: 'off' })
  })

  test('on an address that other machines can reach the sandbox must be forced, too', () => {
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'mintick.example', '2001:db8::1', 'localhost.example']) {
      for (const way of [HOST, 'STRIPE_SECRET_KEY', 'PAYMENTS_SANDBOX=off', 'PAYMENTS_SANDBOX=force']) {
        assert.ok(refusalOf({ HOST }).includes(way))
      }
      assert.deepEqual(of({ HOST, PAYMENTS_SANDBOX: 'force' }), { kind: 'sandbox' })
      assert.deepEqual(of({ HOST, PAYMENTS_SANDBOX: 'off' }), { kind: 'off' })
      assert.equal(of({ HOST, ...STRIPE }).kind, 'stripe')
    }
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
      assert.deepEqual(of({ HOST }), { kind: 'sandbox' })
  })
})
