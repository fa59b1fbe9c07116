import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Thread } from './thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintick-thread-'))
after(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'doubles.ts')
writeFileSync(
  file,
  `import { threadId } from 'node:worker_threads'
   import { answerRequests } from ${JSON.stringify(new URL('./thread.ts', import.meta.url).href)}
   answerRequests(async (number: number) => {
     if (number === 0) throw new Error('not zero')
     if (number < 0) process.exit(1)
     await new Promise((resolve) => setTimeout(resolve, number))
     return { double: 2 * number, threadId }
   })`,
)
const module = pathToFileURL(file)

interface Answer {
  double: number
  threadId: number
}

test('answers come to those who asked, in turn, and an error to the one whose it is', async () => {
  const thread = new Thread<number, Answer>(module)
  const answers = await Promise.allSettled([20, 0, 1].map((number) => thread.ask(number)))
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.double : answer.reason.message)),
    [40, 'not zero', 2],
  )
  assert.equal(thread.load, 0)
  await thread.close()
})

test('when the thread ends, whoever waits is told, and the next request starts another', async () => {
  let ends = 0
  const thread = new Thread<number, Answer>(module, { onEnd: () => ends++ })
  await assert.rejects(Promise.all([thread.ask(-1), thread.ask(1)]), /thread ended/)
  assert.equal((await thread.ask(3)).double, 6)
  assert.equal(ends, 1)
  await thread.close()
})

test('a thread without work ends after a while, and a new one takes its place', async () => {
  const thread = new Thread<number, Answer>(module, { idleMs: 10 })
  const first = await thread.ask(1)
  await setTimeout(200)
  const second = await thread.ask(1)
  assert.notEqual(first.threadId, second.threadId)
  await thread.close()
})
