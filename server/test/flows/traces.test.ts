/** Traces: `traceparent` in log lines and outgoing calls, and the export of spans. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { openAiEmbedder } from '../../src/enrich/embed/openai.ts'
import { withTrace } from '../../src/trace.ts'
import { FakeClock, TestService } from '../harness.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const headers = { traceparent: `00-${TRACE}-${SPAN}-01` }

describe('traces', () => {
  const received: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.end('{"data":[{"index":0,"embedding":[1,0]}]}')
  })
  let url: string
  before(async () => {
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
    url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  })
  after(() => collector.close())

  test('log lines have the trace id, and each request is exported as a span of its trace', async () => {
    const lines: string[] = []
    const service = new TestService(new FakeClock())
    service.log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    await service.start('sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_REQUESTS: 'on' })
    const { key } = await service.open()
    await service.api('/entries', key, { headers })
    await service.api('/entries', key)
    await service.api('/entries', key, { headers: { traceparent: 'nonsense' } })
    await service.api('/entries', key, { headers: { traceparent: `00-${TRACE}-${SPAN}-00` } })
    await service.stop()

    const traceIds = lines.map((line) => JSON.parse(line)).filter(({ path }) => path === '/api/v1/entries')
    assert.deepEqual(
      traceIds.map(({ traceId }) => traceId),
      [TRACE, undefined, undefined, TRACE],
    )
    const [sent] = received.splice(0)
    assert.equal(sent?.url, '/v1/traces')
    const { spans } = JSON.parse(sent?.body ?? '').resourceSpans[0].scopeSpans[0]
    // The caller of the fourth one does not want it to be recorded.
    assert.equal(spans.length, 3)
    const [first, second] = spans
    assert.deepEqual([first.traceId, first.parentSpanId, first.name], [TRACE, SPAN, 'GET /entries'])
    assert.match(first.spanId, /^[0-9a-f]{16}$/)
    assert.ok(BigInt(first.endTimeUnixNano) > BigInt(first.startTimeUnixNano))
    assert.match(second.traceId, /^[0-9a-f]{32}$/)
    assert.deepEqual([second.traceId !== TRACE, second.parentSpanId], [true, undefined])
  })

  test('a collector that does not answer delays neither requests nor the end of the service', async () => {
    const service = await TestService.start('sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    const { key } = await service.open()
    assert.equal((await service.api('/entries', key)).status, 200)
    await service.stop()
  })

  test('calls on behalf of a request pass the trace on', async () => {
    const embedder = openAiEmbedder({ url: `${url}/v1`, model: 'any', key: undefined })
    await withTrace(headers.traceparent, () => embedder.embed(['one']))
    await embedder.embed(['two'])
    assert.deepEqual(
      received.splice(0).map((request) => request.headers.traceparent),
      [headers.traceparent, undefined],
    )
  })
})
