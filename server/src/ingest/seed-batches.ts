/** Worker thread: makes sample entries ready for the store, a batch for each message it gets. */
import { parentPort, workerData } from 'node:worker_threads'
import type { NewEntry } from '../model/entries.ts'
import { type SampleEntriesOptions, sampleEntries } from '../sources/sample/entries.ts'
import { prepareEntries } from '../store/entries/entry-batch.ts'

const { size, ...options }: SampleEntriesOptions & { size: number } = workerData
const entries = sampleEntries(options)

parentPort?.on('message', () => parentPort?.postMessage(prepareEntries(take(size))))

function take(count: number): NewEntry[] {
  const taken: NewEntry[] = []
  while (taken.length < count) {
    const { value, done } = entries.next()
    if (done) break
    taken.push(value)
  }
  return taken
}
