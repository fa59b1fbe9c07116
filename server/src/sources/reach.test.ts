import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MINUTE } from '../model/time.ts'
import { Reach, type ReachEvent } from './reach.ts'

const SOURCES = Array.from({ length: 40 }, (_, number) => `source ${number}`)

describe('the reach of sources', () => {
  test('an outage of the network is told once, and so is its end', () => {
    const events: ReachEvent[] = []
    const reach = new Reach((event) => events.push(event))
    const round = (isUp: boolean, now: number) => {
      for (const key of SOURCES) reach.note(key, isUp ? undefined : 'no address', now)
    }
    round(true, 0)
    round(false, 5 * MINUTE)
    round(false, 15 * MINUTE)
    round(true, 25 * MINUTE)
    round(true, 30 * MINUTE)
    assert.deepEqual(events, [
      { kind: 'lost', unanswered: 21, sources: 40, reason: 'no address' },
      { kind: 'regained', seconds: 20 * 60 },
    ])
  })

  test('a few sources without an answer are not told, nor those that were read long ago', () => {
    const events: ReachEvent[] = []
    const reach = new Reach((event) => events.push(event))
    for (let now = 0; now < 120 * MINUTE; now += MINUTE) {
      for (const [number, key] of SOURCES.entries()) reach.note(key, number % 3 === 0 ? 'refused' : undefined, now)
    }
    const alone = new Reach((event) => events.push(event))
    for (let now = 0; now < 300 * MINUTE; now += 10 * MINUTE)
      alone.note(SOURCES[(now / MINUTE) % 40] ?? '', 'refused', now)
    assert.deepEqual(events, [])
  })
})
