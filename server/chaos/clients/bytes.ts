import type { Fault } from '../fault.ts'
import { type Exchange, exchange } from '../raw-http.ts'
import { Rig } from '../rig.ts'

const PER_REPEAT = 20

export const bytes: Fault = {
  name: 'bytes',
  tries: 'bytes after a request: pipelined junk, and bodies on GET without a length; each request keeps its answer',
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, random, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      const get = `GET /api/v1/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rig.account.key}\r\n\r\n`
      const junk = () => Buffer.from(Array.from({ length: 1 + Math.floor(random() * 3_000) }, () => random() * 256))
      const cases: (readonly [parts: (string | Buffer)[], answers: number])[] = [
        [[get, '{"search":"x"}'], 1],
        [[get + get, 'surplus\r\n\r\n'], 2],
      ]
      for (let count = 0; count < repeats * PER_REPEAT; count += 1) {
        // A first byte that no method begins with, so that the junk is no request.
        cases.push([[get, Buffer.concat([Buffer.of(0), junk()])], 1])
      }
      for (const [parts, answers] of cases) {
        const result = await exchange(rig.port, parts)
        rig.remember(result)
        const statuses = statusesOf(result)
        const expected = [...Array.from({ length: answers }, () => 200), 400]
        tally.check(statuses.join() === expected.join(), () => `got ${statuses.join()}, not ${expected.join()}`)
      }
    })
  },
}

function statusesOf({ replies }: Exchange): number[] {
  return replies.map(({ status }) => status)
}
