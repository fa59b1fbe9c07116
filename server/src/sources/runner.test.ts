import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock, onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { MINUTE } from '../model/time.ts'
import { FetchError } from './fetch/fetch-error.ts'
import type { Fetcher } from './fetch/fetcher.ts'
import type { ReachEvent } from './reach.ts'
import { SourceRunner } from './runner.ts'
import type { SourceSink } from './sink.ts'

const FEED = Buffer.from(
  '<rss version="2.0"><channel><title>Desk</title><item><title>One</title></item></channel></rss>',
)
const KEYS = Array.from({ length: 24 }, (_, number) => `https://desk-${number}.example/feed.xml`)
const REFUSING = KEYS[0] ?? ''
const OUTAGE_MINUTES = 180
const LONGEST_PAUSE_MS = 11 * MINUTE

onEveryEngine('an outage of the network', (engine) => {
  const store = storeForSuite(engine)

  test('is told once, and all sources are read within minutes after it, but for those that answer with errors', async () => {
    const clock = new FakeClock()
    let isUp = true
    const events: ReachEvent['kind'][] = []
    const fetcher = {
      async fetch({ url }: { url: string }) {
        const { host } = new URL(url)
        if (!isUp) throw new FetchError('unresolved', { host })
        if (url === REFUSING) throw new FetchError('status', { host, status: 503 })
        return { status: 200, headers: {}, body: FEED, url, movedTo: undefined }
      },
    }
    const runner = new SourceRunner({
      store: store(),
      sink: { take: async () => ({ added: 0, changed: 0, rejections: {}, lagMs: null }) } as unknown as SourceSink,
      fetcher: fetcher as unknown as Fetcher,
      clock,
      onError: (error) => assert.fail(String(error)),
      onReach: ({ kind }) => events.push(kind),
      random: () => 0.5,
      wait: async () => {},
    })
    for (const key of KEYS) await store().sources.add({ key, kind: 'feed', options: { url: key } }, clock.now())
    const passMinutes = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await runner.runDue()
        clock.advance(MINUTE)
      }
    }
    await passMinutes(20)
    assert.deepEqual(events, [])

    isUp = false
    await passMinutes(OUTAGE_MINUTES)
    assert.deepEqual(events, ['lost'])
    for (const { key, failures, nextRunAt } of await store().sources.list()) {
      if (failures > 0 && key !== REFUSING) assert.ok(nextRunAt - clock.now() <= LONGEST_PAUSE_MS, key)
    }
    isUp = true
    await passMinutes(12)
    assert.deepEqual(events, ['lost', 'regained'])
    for (const { key, failures, unanswered, lastSuccessAt } of await store().sources.list()) {
      if (key === REFUSING) assert.ok(failures > unanswered)
      else assert.ok(failures === 0 && (lastSuccessAt ?? 0) > 0, key)
    }
    await runner.stop()
  })
})
