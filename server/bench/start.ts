import { join } from 'node:path'
import { killHard, spawnService } from '../test/spawn.ts'
import { printFigure } from './figures.ts'
import { removeStore } from './places.ts'
import { environment, median, type Settings } from './service.ts'

const ROUNDS = 3

/** Measures the time from the start of the command to the first response. */
export async function benchStart({ folder }: Settings): Promise<void> {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = join(folder, `start-${process.pid}-${round}`)
    first.push(await startMs(place))
    later.push(await startMs(place))
    await removeStore(place)
  }
  const title = `median of ${ROUNDS}`
  printFigure(`first start, empty folder, ${title}`, Math.round(median(first)), 'at most', 4_000, { unit: 'ms' })
  printFigure(`later start, ${title}`, Math.round(median(later)), 'at most', 1_000, { unit: 'ms' })
}

async function startMs(place: string): Promise<number> {
  const from = performance.now()
  const { child, url } = await spawnService(await environment(place, { SAMPLE_DATA: 'on' }))
  await fetch(`${url}/health`)
  const elapsed = performance.now() - from
  await killHard(child)
  return elapsed
}
