/** Worker thread: prepares sample entries for the store, one batch per message. */
import { parentPort, workerData } from 'node:worker_threads'
import type { NewEntry } from '../model/entries.ts'
import { prepareEntries } from '../store/entries/entry-batch.ts'
import { type SampleEntriesOptions, sampleEntries } from './world/entries.ts'

const { size, ...options }: SampleEntriesOptions & { size: number } = workerData
const entries = sampleEntries(options)

parentPort?.on('message', () => parentPort?.postMessage(prepareEntries(take(size))))

/** Yields entries one by one, so that none is kept once it is in the batch. */
function* take(count: number): Generator<NewEntry> {
  for (let taken = 0; taken < count; taken += 1) {
    const { value, done } = entries.next()
    if (done) return
    yield value
  }
}
