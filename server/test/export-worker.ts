/**
 * Serves a store in a process of its own, so that tests can kill it. Sends its URL; a message builds the daily files, and the answer
 * comes when they are built.
 */
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { createMintick } from '../src/main.ts'
import { FakeClock } from './harness.ts'

const mintick = await createMintick(readConfig(process.env), {
  clock: new FakeClock(),
  log: pino({ level: 'silent' }),
})
process.on('message', async () => {
  await mintick.dailyFiles?.run()
  process.send?.('built')
})
process.send?.(await mintick.app.listen({ port: 0, host: '127.0.0.1' }))
