import { isMainThread } from 'node:worker_threads'

/** Set by `npm run test:deep`. */
const IS_DEEP = process.env.TEST_DEEP === '1'

/** Fixed, so that the same code always gets the same result. `TEST_SEED=… npm run test:deep` looks for new cases. */
const SEED = Number(process.env.TEST_SEED ?? 20_260_302)

/** Returns how often to repeat a test: `quick` with `npm test`, `deep` with `npm run test:deep`. */
export function runs(quick: number, deep: number): number {
  return IS_DEEP ? deep : quick
}

/** Returns all items in a deep run, and `quick` of them, evenly spread, in a quick one. */
export function some<Item>(items: readonly Item[], quick: number): readonly Item[] {
  const step = items.length / Math.min(runs(quick, items.length), items.length)
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

// run.ts loads this file before each test file. The threads of a service load it too, and need no properties.
if (isMainThread) {
  const { default: fc } = await import('fast-check')
  // fast-check prints the seed of a failure.
  fc.configureGlobal({ numRuns: runs(15, 100), seed: SEED })
}
