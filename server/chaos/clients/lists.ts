import type { Fault } from '../fault.ts'
import { Rig } from '../rig.ts'
import { listOperations } from './hostile/requests.ts'

interface Page {
  data: unknown
  meta?: { nextCursor?: string | null }
}

/** Lists of entries share the feed of entries, and so their cursors. */
const feedOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export const cursors: Fault = {
  name: 'cursors',
  tries: 'the cursor of every list on every other list; it is refused with 400 and costs nothing',
  engines: ['sqlite', 'postgres'],
  async run({ engine, tally }) {
    const sample = { env: { SAMPLE_DATA: 'on' } }
    await Rig.with(
      engine,
      tally,
      async (rig) => {
        const lists = listPaths().filter(({ params }) => params.includes('after'))
        const cursors = new Map<string, string>()
        for (const { path } of lists) {
          const { meta }: Page = JSON.parse((await rig.api(`${path}?limit=1`)).text)
          if (meta?.nextCursor != null) cursors.set(path, meta.nextCursor)
        }
        for (const [from, cursor] of cursors) {
          for (const { path } of lists.filter(({ path }) => feedOf(path) !== feedOf(from))) {
            const reply = await rig.api(`${path}?after=${encodeURIComponent(cursor)}`)
            const isRefused = reply.status === 400 && reply.headers.get('x-credits-cost') === '0'
            tally.check(isRefused, () => `${path} answered ${reply.status} to a cursor of ${from}`)
          }
        }
        tally.check(cursors.size > 1, () => 'there are no cursors to exchange')
      },
      sample,
    )
  },
}

export const unknownParameters: Fault = {
  name: 'unknown-parameters',
  tries: 'a parameter that no endpoint has, on every list; it is named in X-Ignored-Parameters and changes nothing',
  engines: ['sqlite', 'postgres'],
  async run({ engine, tally }) {
    await Rig.with(engine, tally, async (rig) => {
      for (const { path, params } of listPaths()) {
        const misspelt = params[0] === undefined ? 'nonsense' : `${params[0]}x`
        const plain = await rig.api(path)
        const reply = await rig.api(`${path}?${misspelt}=1&__proto__=2`)
        const named = reply.headers.get('x-ignored-parameters') ?? ''
        // A call that lacks a required parameter is refused before others are looked at.
        const isNamed = plain.status === 400 || (named.includes(misspelt) && named.includes('__proto__'))
        tally.check(reply.status === plain.status && isNamed, () => `${path} ignored "${named}", not ${misspelt}`)
      }
    })
  },
}

/** Returns the paths of all GET operations below /api/v1 without an id, streams and files left out, and the names of their parameters. */
function listPaths(): { path: string; params: string[] }[] {
  return listOperations()
    .filter(({ method, path, isStream }) => method === 'GET' && /^\/api\/v1(?!\/export)[^{]*$/.test(path) && !isStream)
    .map(({ path, params }) => ({ path: path.replace('/api/v1', ''), params: params.map(({ name }) => name) }))
}
