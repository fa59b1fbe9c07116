import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { killHard, spawnService } from '../test/spawn.ts'
import { environment, printRatio, type Settings } from './service.ts'

/** Measures the time from the start of the command to the first response. */
export async function benchStart({ folder }: Settings): Promise<void> {
  const place = join(folder, `start-${process.pid}`)
  for (const [name, limit] of [
    ['first start, empty folder', 5_000],
    ['later start', 1_500],
  ] as const) {
    const from = performance.now()
    const { child, url } = await spawnService(environment(place, { SAMPLE_DATA: 'on' }))
    await fetch(`${url}/health`)
    printRatio(name, Math.round(performance.now() - from), 'at most', limit, 'ms')
    await killHard(child)
  }
  rmSync(place, { recursive: true })
}
