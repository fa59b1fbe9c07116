import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { builtInAssets } from '../catalogue/built-in/assets.ts'
import { builtInTopics } from '../catalogue/built-in/topics.ts'
import { DAY } from '../model/time.ts'
import type { Store } from '../store/store.ts'
import type { PreparedBatch } from './seed-thread.ts'
import type { SampleEntriesOptions } from './world/entries.ts'
import { samplePublishers } from './world/publishers.ts'

/** Entries per transaction. A batch blocks other writers of entries for up to a second. */
const BATCH = 10_000
const BATCHES_AHEAD = 3
const ENTRIES_PER_DAY = 2_000

interface SeedOptions {
  entries: number
  /** Time of the last entry, in epoch milliseconds. */
  to: number
  now: number
  /** Different names yield different entries; by default every call has its own. */
  name?: string
  signal?: AbortSignal
  onEntries?(done: number): void
  /** Called with the index that is being built after the last entry. */
  onStep?(step: string): void
}

/**
 * Adds sample entries up to `to`, spread so that a million of them cover about a year and a half. Returns the number added,
 * which is lower if `signal` aborts. While the store is being opened, the first entries are created.
 */
export async function seed(opening: Store | Promise<Store>, options: SeedOptions): Promise<number> {
  const { entries: count, to, now, name = randomUUID(), signal, onEntries, onStep } = options
  const from = to - (count / ENTRIES_PER_DAY) * DAY
  const batches = preparedBatches(BATCH, {
    count,
    from,
    to,
    seed: `seed ${name}`,
    hasTimedIds: true,
  })
  const store = await opening
  await store.publishers.insert(samplePublishers, now)
  await store.assets.insert(builtInAssets, now)
  await store.topics.insert(builtInTopics, now)
  await store.counts.settle(now)
  const { seq: before } = await store.entries.head()
  const load = async () => {
    let done = 0
    for await (const batch of batches) {
      if (signal?.aborted) break
      await store.entries.append(batch.bytes)
      done += batch.count
      await store.progress.addSeeded(before + 1, before + done)
      onEntries?.(done)
    }
    return done
  }
  return store.entries.bulkLoad(count, load, onStep)
}

/** Creates batches in a worker thread that starts at once and stays a few ahead, so that two cores have work. */
function preparedBatches(size: number, options: SampleEntriesOptions): AsyncGenerator<PreparedBatch> {
  const worker = new Worker(new URL('./seed-thread.ts', import.meta.url), {
    workerData: { ...options, size },
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  const ready: PreparedBatch[] = []
  worker.on('message', (batch: PreparedBatch) => ready.push(batch))
  for (let ahead = 0; ahead < BATCHES_AHEAD; ahead += 1) worker.postMessage('next')
  // An unused worker must not keep the process alive.
  worker.unref()
  return takeBatches(worker, ready, Math.ceil(options.count / size))
}

async function* takeBatches(worker: Worker, ready: PreparedBatch[], count: number): AsyncGenerator<PreparedBatch> {
  worker.ref()
  try {
    for (let left = count; left > 0; left -= 1) {
      if (ready.length === 0) await once(worker, 'message')
      // Node handles messages as long as there are any: without this, SIGINT would never be handled.
      await setImmediate()
      const batch = ready.shift()
      if (batch === undefined) throw new Error('the thread that creates the entries has ended')
      worker.postMessage('next')
      yield batch
    }
  } finally {
    await worker.terminate()
  }
}
