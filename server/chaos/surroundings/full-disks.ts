import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { mountSmallDisk, type SmallDisk } from '../../test/small-disk.ts'
import { spawnServiceInto } from '../../test/spawn.ts'
import { type Fault, Skipped } from '../fault.ts'
import { Rig } from '../rig.ts'

const KB = 1_024
const LOG_BYTES = 64 * KB
const STORE_BYTES = 32 * KB * KB
const CALLS = 300
const CALLERS = 8

export const logDisk: Fault = {
  name: 'log-disk-full',
  tries: 'a log on a full disk; every call is answered, and SIGTERM ends the service',
  engines: ['sqlite', 'postgres'],
  async run({ engine, tally }) {
    using disk = smallDisk(LOG_BYTES)
    const log = openSync(join(disk.folder, 'log'), 'a')
    try {
      fill(join(disk.folder, 'rest'))
      await Rig.with(
        engine,
        tally,
        async (rig) => {
          for (let count = 0; count < CALLS; count += 1) {
            const { status } = await rig.api('/entries')
            tally.check(status === 200, () => `a call was answered with ${status}`)
          }
        },
        { env: { LOG_LEVEL: 'info', LOG_REQUESTS: 'on' }, start: (env) => spawnServiceInto(log, env) },
      )
    } finally {
      closeSync(log)
    }
  },
}

export const storeDisk: Fault = {
  name: 'store-disk-full',
  tries:
    'a store on a full disk: /ready is 503 while charged calls fail, /health stays 200, both recover with the space',
  engines: ['sqlite'],
  async run({ engine, repeats, tally }) {
    using disk = smallDisk(STORE_BYTES)
    const rest = join(disk.folder, 'rest')
    await Rig.with(
      engine,
      tally,
      async (rig) => {
        for (let round = 0; round < repeats; round += 1) {
          const statuses = await rig.underLoad(CALLERS, async () => {
            fill(rest)
            while (await rig.serves()) {}
            // /ready repeats its probe every second.
            await delay(1_500)
            const ready = await rig.call('/ready')
            tally.check(ready.status === 503, () => `/ready is ${ready.status} while charged calls fail`)
            const health = await rig.call('/health')
            tally.check(health.status === 200, () => `/health is ${health.status}`)
            rmSync(rest)
            await rig.recover(tally)
            await rig.recover(tally, async () => (await rig.call('/ready')).status === 200)
          })
          const odd = [...statuses.keys()].filter((status) => status !== 200 && status !== 500)
          tally.check(odd.length === 0, () => `calls were answered with ${odd.join()}`)
        }
      },
      { folder: disk.folder },
    )
  },
}

function smallDisk(bytes: number): SmallDisk {
  const disk = mountSmallDisk(bytes)
  if (disk === undefined) throw new Skipped('not permitted to mount a small disk')
  return disk
}

/** Writes a file until the disk is full, down to the last block. */
function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (const size of [KB * KB, 4 * KB]) writeUntilFull(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
