import { join } from 'node:path'
import { finished, spawnCommand } from '../test/spawn.ts'
import { printFigure } from './figures.ts'
import { removeStore } from './places.ts'
import { environment, type Settings } from './service.ts'

/** Measures `mintick seed`, including the start of the command and the indexes at its end. */
export async function benchSeed({ folder, small }: Settings): Promise<void> {
  const place = join(folder, `seed-${process.pid}`)
  const from = performance.now()
  const { code, stderr } = await finished(spawnCommand(await environment(place), 'seed', '--entries', String(small)))
  if (code !== 0) throw new Error(`mintick seed failed: ${stderr}`)
  const perSecond = small / ((performance.now() - from) / 1_000)
  printFigure(`mintick seed --entries ${small}`, Math.round(perSecond), 'at least', 25_000, { unit: 'entries/s' })
  await removeStore(place)
}
