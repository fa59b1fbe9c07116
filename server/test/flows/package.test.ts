import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { killHard, spawnService } from '../spawn.ts'

const ROOT = join(import.meta.dirname, '../../..')

const PAGES = ['/docs', '/docs/docs.css', '/docs/docs.js', '/sdk/mintick.py']

suite('the package of npm pack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-package-'))
  const packages = join(folder, 'node_modules')
  const env = { DATA_DIR: join(folder, 'data'), PORT: '0', EMBEDDINGS: 'off', ADMIN_TOKEN: 'package-package-package' }

  // Installed without a network: its dependencies are those of the checkout.
  before(() => {
    mkdirSync(packages)
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' })
    const file = readdirSync(folder).find((name) => /^mintick-.*\.tgz$/.test(name))
    execFileSync('tar', ['-xzf', join(folder, String(file)), '-C', packages])
    symlinkSync(join(packages, 'package'), join(packages, 'mintick'))
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name !== 'payment-sandbox') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
    }
  })
  after(() => rmSync(folder, { recursive: true }))

  test('serves the sample data, the description of the API, the reference and the Python client', async () => {
    const { child, url } = await spawnPackage()
    const response = await fetch(`${url}/api/v1/entries?limit=1`, { headers: { authorization: 'Bearer mtk_demo' } })
    const { openapi } = await (await fetch(`${url}/openapi.json`)).json()
    const pages = await Promise.all(PAGES.map((path) => fetch(url + path)))
    await killHard(child)
    assert.equal(openapi, '3.1.0')
    assert.deepEqual(
      pages.map(({ status }) => status),
      PAGES.map(() => 200),
    )
    assert.equal(response.status, 200)
    assert.equal((await response.json()).data.length, 1)
  })

  test('a store may change between the package and a checkout', async () => {
    for (const start of [() => spawnService(env), spawnPackage]) {
      const { child, url } = await start()
      const { status } = await fetch(`${url}/ready`)
      await killHard(child)
      assert.equal(status, 200)
    }
  })

  const spawnPackage = () =>
    spawnService(env, (_, args) => [join(packages, 'mintick/server/bin/mintick.js'), [...args]])
})
