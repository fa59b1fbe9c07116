/** Worker thread: prepares sample entries for the store, one batch per message. */
import { parentPort, workerData } from 'node:worker_threads'
import type { NewEntry } from '../model/entries.ts'
import { encodeBatch, prepareEntries } from '../store/entries/entry-batch.ts'
import { ownBuffer } from '../thread.ts'
import { type SampleEntriesOptions, sampleEntries } from './world/entries.ts'

export interface PreparedBatch {
  count: number
  bytes: Uint8Array
}

const { size, ...options }: SampleEntriesOptions & { size: number } = workerData
const entries = sampleEntries(options)

parentPort?.on('message', () => {
  const batch = prepareEntries(take(size))
  const bytes = encodeBatch(batch)
  parentPort?.postMessage({ count: batch.id.length, bytes } satisfies PreparedBatch, ownBuffer(bytes))
})

/** Yields entries one by one, so that none is kept once it is in the batch. */
function* take(count: number): Generator<NewEntry> {
  for (let taken = 0; taken < count; taken += 1) {
    const { value, done } = entries.next()
    if (done) return
    yield value
  }
}
