import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkPackages } from './packages.ts'

const GOOD = { integrity: 'sha512-AAAA', license: 'MIT' }

describe('check of packages', () => {
  test('a package with a hash and a permissive licence passes, a workspace needs neither', () => {
    const packages = {
      '': {},
      server: { license: 'MIT' },
      'node_modules/mintick': { link: true, resolved: 'server' },
      'node_modules/a': GOOD,
      'node_modules/a/node_modules/@b/c': { ...GOOD, license: '(MIT AND Zlib)' },
    }
    assert.deepEqual(checkPackages(packages, []), [])
  })

  test('a package without a strong hash is named', () => {
    const packages = { 'node_modules/a': { license: 'MIT' }, 'node_modules/b': { ...GOOD, integrity: 'sha1-AAAA' } }
    assert.equal(checkPackages(packages, []).length, 2)
  })

  test('a package without a licence, with another one, or with another one beside a permissive one is named', () => {
    for (const license of ['GPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN LICENSE', 'Apache 2.0']) {
      assert.deepEqual(checkPackages({ 'node_modules/a': { ...GOOD, license } }, []), [
        `node_modules/a has the licence ${license}`,
      ])
    }
    assert.equal(checkPackages({ 'node_modules/a': { integrity: GOOD.integrity } }, []).length, 1)
  })

  test('an install script is refused in package.json, and no registry is named', () => {
    const packages = { 'node_modules/x/node_modules/@a/b': { ...GOOD, hasInstallScript: true } }
    assert.equal(checkPackages(packages, []).length, 1)
    assert.deepEqual(checkPackages(packages, ['@a/b']), [])
    assert.equal(
      checkPackages({ 'node_modules/a': { ...GOOD, resolved: 'https://registry.example/a.tgz' } }, []).length,
      1,
    )
  })
})
