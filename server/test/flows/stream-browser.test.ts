import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../browser.ts'
import { publishSignal, startStreamService, waitUntil } from '../streams.ts'

test('a page in a browser receives events as they are sent', async (context) => {
  const browser = await openBrowser()
  if (browser === undefined) return context.skip('no Chromium is installed')
  const { service, url, account } = await startStreamService('sqlite')

  const page = await browser.newPage()
  let received = ''
  await page.exposeFunction('receive', (text: string) => {
    received += text
  })
  await page.goto(new URL('/health', url).href)
  await page.evaluate(`(async () => {
    const { body } = await fetch('${url}/signals/stream', { headers: { authorization: 'Bearer ${account.key}' } })
    body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (text) => receive(text) }))
  })()`)
  await waitUntil(() => received.includes('event: ready'))
  for (const title of ['first', 'second']) {
    await publishSignal(service, { title })
    await waitUntil(() => received.includes(`"title":"${title}"`))
  }
  await browser.close()
  await waitUntil(() => service.mintick.streams.count === 0)
  await service.stop()
  assert.match(received, /^retry: 3000\n\nid: 0\nevent: ready\n/)
})
