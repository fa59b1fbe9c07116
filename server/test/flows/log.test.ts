/** A log that cannot be written neither blocks nor ends the service. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createPlace, type Place } from '../harness.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { spawnServiceInto } from '../spawn.ts'

/** Makes a line of 1.7 KB, so that few requests fill a buffer. */
const LONG_PATH = `/admin/${'x'.repeat(1_500)}`
/** More lines than the buffers of the log, of the kernel and of this process hold. */
const MANY = 600
const ADMIN_TOKEN = 'a-token-of-this-test'
const FLUSHED_MS = 400
const DISK_BYTES = 65_536
const LIMIT_MS = 10_000

describe('a log that cannot be written', () => {
  let place: Place
  let child: ChildProcess
  let url: string
  beforeEach(async () => {
    place = await createPlace('sqlite')
  })
  afterEach(async () => {
    child.kill('SIGKILL')
    await place.remove()
  })

  /** Starts the service with a line per request in its log. */
  async function start(stdout: 'pipe' | number): Promise<void> {
    const env = { ...place.env, ADMIN_TOKEN, LOG_LEVEL: 'info', LOG_REQUESTS: 'on' }
    ;({ child, url } = await spawnServiceInto(stdout, env))
  }

  async function send(requests: number): Promise<void> {
    let left = requests
    const client = async () => {
      while (left > 0) {
        left -= 1
        const response = await fetch(url + LONG_PATH, {
          headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
          signal: AbortSignal.timeout(LIMIT_MS),
        })
        await response.arrayBuffer()
        assert.equal(response.status, 404)
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
  }

  async function assertEnds(): Promise<void> {
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  }

  test('without space on the device, the service serves and ends', async () => {
    const full = openSync('/dev/full', 'w')
    await start(full)
    closeSync(full)
    await send(20)
    await delay(FLUSHED_MS)
    await send(20)
    await assertEnds()
  })

  test('without a reader of its pipe, the service serves and ends', async () => {
    await start('pipe')
    child.stdout?.destroy()
    await send(20)
    await delay(FLUSHED_MS)
    await send(20)
    await assertEnds()
  })

  test('with a reader that reads nothing, the service serves and ends', async () => {
    await start('pipe')
    await send(MANY)
    await assertEnds()
  })

  test('with a reader that pauses, each line arrives or is counted once', async () => {
    await start('pipe')
    await send(MANY)
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    while (!text.includes('"dropped"')) await delay(FLUSHED_MS)
    await send(10)
    const closed = once(child, 'close')
    await assertEnds()
    await closed
    const lines = text.split('\n').filter((line) => line.startsWith('{'))
    const records = lines.map((line) => JSON.parse(line))
    const [report, ...others] = records.filter(({ dropped }) => dropped !== undefined)
    assert.deepEqual(others, [])
    assert.ok(report.dropped > 0)
    assert.equal(records.filter(({ path }) => path === LONG_PATH).length + report.dropped, MANY + 10)
  })

  test('on a full disk, lines are dropped and counted until it has space again', async (context) => {
    using disk = mountSmallDisk(DISK_BYTES)
    if (disk === undefined) {
      context.skip('not permitted to mount a small disk')
      return
    }
    try {
      const file = join(disk.folder, 'log')
      const log = openSync(file, 'a')
      await start(log)
      closeSync(log)
      await send(MANY)
      assert.equal(statSync(file).size, DISK_BYTES)
      while (!readFileSync(file, 'utf8').includes('"dropped"')) {
        if (statSync(file).size === DISK_BYTES) truncateSync(file)
        await delay(50)
      }
      await assertEnds()
    } finally {
      child.kill('SIGKILL')
    }
  })
})
