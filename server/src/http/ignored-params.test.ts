import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEveryEngine, serviceForSuite } from '../../test/harness.ts'
import { ignoredParamsHeader } from './ignored-params.ts'

describe('ignored parameters', () => {
  const known = ['assetKey', 'assetId', 'limit', 'publishedAfter', 'search']
  const header = (...names: string[]) => ignoredParamsHeader(names, known)

  test('a name is followed by the nearest parameter, if one is near', () => {
    assert.equal(header('assetkey'), '"assetkey";nearest="assetKey"')
    assert.equal(header('asset_key', 'serach'), '"asset_key";nearest="assetKey", "serach";nearest="search"')
    assert.equal(header('published_afer'), '"published_afer";nearest="publishedAfter"')
    assert.equal(header('nonsense', ''), '"nonsense", ""')
  })

  test('a parameter that is known but has no effect is named alone', () => {
    assert.equal(header('assetKey'), '"assetKey"')
  })

  test('names cannot break the header, and their number and length are bounded', () => {
    assert.equal(header('a\r\nset-cookie: x"\\\u00e9%'), '"a%0D%0Aset-cookie: x%22%5C%C3%A9%25"')
    const many = Array.from({ length: 1_000 }, () => '\u{1f4a9}\ud800'.repeat(1_000))
    assert.match(header(...many), /^[\x20-\x7e]{1,2000}$/)
  })
})

onEveryEngine('X-Ignored-Parameters', (engine) => {
  const service = serviceForSuite(engine)

  test('a successful answer names unknown parameters, and own-key filters of the demo key', async () => {
    const { key } = await service.open()
    const headerOf = async (path: string, by = key) => {
      const reply = await service.api(path, by)
      assert.equal(reply.status, 200)
      return reply.headers['x-ignored-parameters']
    }
    assert.equal(await headerOf('/entries?assetkey=AAPL&limit=1'), '"assetkey";nearest="assetKey"')
    assert.equal(await headerOf('/entries?assetKey=AAPL'), undefined)
    assert.equal(await headerOf('/entries?assetKey=AAPL', 'mtk_demo'), '"assetKey"')
    assert.equal(await headerOf('/account?x=1'), '"x"')
    assert.equal(await headerOf('/entries?%0d%0aX-Evil:1'), '"%0D%0AX-Evil:1"')
  })
})
