import assert from 'node:assert/strict'
import type { Reply } from './harness.ts'

/** Asserts that a reply is the exact error envelope of spec 2.8. */
export function assertError(reply: Pick<Reply, 'status' | 'body'>, status: number, code: string): void {
  assert.equal(reply.status, status, JSON.stringify(reply.body))
  assert.equal(reply.body.success, false)
  assert.equal(reply.body.error.code, code)
  assert.equal(typeof reply.body.error.message, 'string')
  assert.equal(reply.body.statusCode, status)
  assert.equal(new Date(reply.body.timestamp).toISOString(), reply.body.timestamp)
  assert.deepEqual(Object.keys(reply.body), ['success', 'error', 'statusCode', 'timestamp'])
}

export function assertOk(reply: Pick<Reply, 'status' | 'body'>): void {
  assert.equal(reply.status, 200, JSON.stringify(reply.body)?.slice(0, 500))
  assert.equal(reply.body.success, true)
}

/** Returns the names of the fields that a 400 reply rejects. */
export const fieldsOf = (reply: Pick<Reply, 'body'>): string[] =>
  reply.body.error.details.map(({ field }: { field: string }) => field)
