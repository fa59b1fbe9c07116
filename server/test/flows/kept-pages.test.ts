/** Pages that the store keeps reach the pipeline as they are: their rendered bodies are kept with them. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { endpoints } from '../../src/api/index.ts'
import { assertOk } from '../envelope.ts'
import { onEveryEngine, TestService } from '../harness.ts'

const LISTS = endpoints.filter(
  ({ method, path, access, returns }) =>
    method === 'GET' &&
    access === 'key' &&
    ['cursor-list', 'page-list', 'list'].includes(returns) &&
    !/^\/(account|billing|export)|\/:/.test(path),
)

/** Kept where one process writes all of its files. */
const FILES = endpoints.filter(({ path }) => path === '/export/files')

onEveryEngine('kept pages', (engine) => {
  test('the second request for a page gets the same object', async () => {
    const service = await TestService.start(engine, { SAMPLE_DATA: 'on' })
    try {
      const { key } = await service.open('custom', 1_000)
      // Each instance keeps its own pages.
      const one = service.alone()
      for (const endpoint of engine === 'sqlite' ? [...LISTS, ...FILES] : LISTS) {
        const handle = mock.method(endpoint, 'handle')
        for (let call = 0; call < 2; call += 1) assertOk(await one.api(endpoint.path, key))
        const [first, second] = await Promise.all(handle.mock.calls.map(({ result }) => result))
        assert.ok(first !== undefined)
        assert.ok(first === second, `${endpoint.path} is rendered again`)
      }
    } finally {
      mock.restoreAll()
      await service.stop()
    }
  })
})
