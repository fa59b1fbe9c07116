import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../browser.ts'
import { TestService } from '../harness.ts'
import { newSignal } from '../signals.ts'

test('a page in a browser reads the stream as it comes', async (context) => {
  const browser = await openBrowser()
  if (browser === undefined) return context.skip('no Chromium is installed')
  const service = await TestService.start('sqlite')
  const url = await service.listen()
  const { key } = await service.openUnlimited()
  const { store, bus, clock } = service.mintick
  await store.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], clock.now())

  const page = await browser.newPage()
  let received = ''
  await page.exposeFunction('receive', (text: string) => {
    received += text
  })
  const arrival = async (text: string) => {
    while (!received.includes(text)) await new Promise(setImmediate)
  }
  await page.goto(new URL('/', url).href)
  await page.evaluate(`(async () => {
    const { body } = await fetch('${url}/signals/stream', { headers: { authorization: 'Bearer ${key}' } })
    body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (text) => receive(text) }))
  })()`)
  await arrival('event: ready')
  for (const title of ['first', 'second']) {
    const signal = newSignal(clock.now(), { title })
    await store.signals.apply([{ type: 'new', signal, supersedes: [] }], [], clock.now())
    await bus.publish('signals', '')
    await arrival(`"title":"${title}"`)
  }
  await browser.close()
  while (service.mintick.streams.count > 0) await new Promise(setImmediate)
  await service.stop()
  assert.match(received, /^retry: 3000\n\nid: 0\nevent: ready\n/)
})
