import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { EventReader } from '../event-source.ts'
import { createPlace } from '../harness.ts'
import { spawnService } from '../spawn.ts'

test('SIGTERM sends closing with spread reconnect delays to every stream and then exits', async () => {
  const place = await createPlace('sqlite')
  const adminToken = 'a-token-of-this-test'
  const { child, url } = await spawnService({ ...place.env, ADMIN_TOKEN: adminToken })
  const opened = await fetch(`${url}/admin/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ email: 'streams@test.example', plan: 'enterprise', credits: 1_000 }),
  })
  const { apiKey } = (await opened.json()).data
  const readers = await Promise.all(
    Array.from({ length: 20 }, () => EventReader.open(`${url}/api/v1/signals/stream`, apiKey)),
  )
  for (const reader of readers) await reader.nextOf('ready')
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/signals/ws`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const messages: { event: string; data: { reason: string; reconnectAfterMs: number } }[] = []
  socket.on('message', (text) => messages.push(JSON.parse(String(text))))
  await once(socket, 'message')

  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const waits: number[] = []
  for (const reader of readers) {
    const { data } = await reader.nextOf('closing')
    assert.equal(data.reason, 'shutdown')
    waits.push(data.reconnectAfterMs)
    assert.equal(await reader.next(), undefined)
  }
  await once(socket, 'close')
  assert.deepEqual(
    messages.map(({ event }) => event),
    ['ready', 'closing'],
  )
  assert.deepEqual(await exited, [0, null])
  assert.ok(Math.min(...waits) >= 1_000 && Math.max(...waits) <= 10_000)
  assert.ok(new Set(waits).size > 10, 'reconnect delays are spread')
  await place.remove()
})
