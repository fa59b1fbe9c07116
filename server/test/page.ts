import assert from 'node:assert/strict'
import { Parser } from 'htmlparser2'

interface PageReply {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** Asserts that a reply (page, error or redirect) is HTML with the most restrictive security headers. */
export function assertPage({ headers }: Pick<PageReply, 'headers'>): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  // A document that is the same for everyone has an entity tag, and may have scripts of the service.
  const isShared = headers.etag !== undefined
  assert.equal(headers['cache-control'], isShared ? 'no-cache' : 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-frame-options'], 'DENY')
  const policy = String(headers['content-security-policy']).split('; ')
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
    assert.ok(policy.includes(rule))
  const scripts = policy.filter((rule) => rule.startsWith('script-src'))
  assert.deepEqual(scripts, isShared ? ["script-src 'self'"] : [])
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
}

/** Asserts that a reply is an error page. Returns its message. */
export function errorOn(reply: PageReply, status: number): string {
  assert.equal(reply.status, status, reply.body)
  assertPage(reply)
  assert.ok(reply.body.startsWith('<!doctype html>'))
  const [message = '', code] = textsOf(reply.body, 'p')
  assert.equal(code, `Error ${status}`)
  return message
}

/** Returns the text of all elements with a tag name, as a browser decodes it. */
export function textsOf(body: string, name: string): string[] {
  const texts: string[] = []
  let depth = 0
  const parser = new Parser({
    onopentag(tag) {
      if (tag === name && depth++ === 0) texts.push('')
    },
    onclosetag(tag) {
      if (tag === name) depth--
    },
    ontext(text) {
      if (depth > 0) texts.push((texts.pop() ?? '') + text)
    },
  })
  parser.end(body)
  return texts
}
