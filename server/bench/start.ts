import { join } from 'node:path'
import { killHard, spawnService } from '../test/spawn.ts'
import { printFigure } from './figures.ts'
import { removeStore } from './places.ts'
import { environment, type Settings } from './service.ts'

/** Measures the time from the start of the command to the first response. */
export async function benchStart({ folder }: Settings): Promise<void> {
  const place = join(folder, `start-${process.pid}`)
  for (const [name, limit] of [
    ['first start, empty folder', 4_000],
    ['later start', 1_000],
  ] as const) {
    const from = performance.now()
    const { child, url } = await spawnService(await environment(place, { SAMPLE_DATA: 'on' }))
    await fetch(`${url}/health`)
    printFigure(name, Math.round(performance.now() - from), 'at most', limit, { unit: 'ms' })
    await killHard(child)
  }
  await removeStore(place)
}
