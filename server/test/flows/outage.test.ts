import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { runs } from '../depth.ts'
import { onEveryEngine, serviceForSuite } from '../harness.ts'

onEveryEngine('outage', (engine) => {
  const service = serviceForSuite(engine)

  test('connections that PostgreSQL ends under load cost no caller a credit without an answer', async () => {
    if (engine === 'sqlite') return // has no connections to lose
    const { id, key } = await service.openUnlimited()
    const before = await service.balance(id)
    const killer = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
    await killer.connect()
    const answered: string[] = []
    let isOver = false
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const reply = await service.api('/entries', key)
        assert.ok([200, 500].includes(reply.status), JSON.stringify(reply.body))
        if (reply.status === 200) answered.push(reply.headers['x-request-id'] ?? '')
      }
    })
    for (let round = 1; round <= runs(5, 15); round += 1) {
      while (answered.length < round * 10) await delay(5)
      await killer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mintick' and datname = $1",
        [service.databaseName],
      )
    }
    isOver = true
    await Promise.all(callers)
    await killer.end()
    const balance = await service.balance(id)
    assert.equal(before - balance, answered.length)
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  test('a key that is revoked while its request is still arriving is refused', async () => {
    const { key } = await service.open('professional')
    const create = { method: 'POST', body: { name: 'doomed' } }
    const doomed = (await service.api('/account/api-keys', key, create)).body.data
    const url = new URL(await service.mintick.app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(url.port), url.hostname).setEncoding('utf8')
    const body = JSON.stringify({ name: 'late' })
    socket.write(
      `POST /api/v1/account/api-keys HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${doomed.apiKey}\r\n` +
        `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body.slice(0, 5)}`,
    )
    await delay(50)
    await service.api(`/account/api-keys/${doomed.id}`, key, { method: 'DELETE' })
    socket.write(body.slice(5))
    const answer = (await Array.fromAsync(socket)).join('')
    assert.match(answer, /^HTTP\/1.1 401 /)
  })
})
