import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { testVectorIndex } from '../../test/vector-index-contract.ts'
import { memoryHolder, VectorIndex } from './vector-index.ts'

onEveryEngine('vector index', (engine) => {
  const store = storeForSuite(engine)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'vectors-'))
  })

  testVectorIndex({
    store,
    open: async (model) => new VectorIndex(store(), model, memoryHolder({ folder, storeId: 'one', model })),
  })
  after(() => rmSync(folder, { recursive: true }))
})
