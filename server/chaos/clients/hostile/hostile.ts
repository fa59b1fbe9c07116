import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '../../../src/api/index.ts'
import { openAccountOver } from '../../../test/unlimited-account.ts'
import type { Fault, Run, Tally } from '../../fault.ts'
import { type Exchange, exchange, type RawReply } from '../../raw-http.ts'
import { ADMIN_TOKEN, Rig } from '../../rig.ts'
import { brokenFraming } from './framing.ts'
import { Random } from './random.ts'
import { hostileRequest, type Keys, listOperations } from './requests.ts'

const WORKERS = 16
/** Sent after each request that is well framed: its answer shows that the service found the end of that request. */
const PROBE = 'GET /health HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n'
/** Answers at these paths follow other protocols, so they have no envelope. */
const RELAYS = endpoints.filter(({ access }) => access === 'relay').map(({ path }) => path.replace(/:.*/, ''))
const LISTS = ['entries', 'assets', 'topics', 'publishers', 'clusters', 'markets', 'prediction-markets', 'signals']

export const hostile: Fault = {
  name: 'hostile',
  tries:
    'requests generated from `openapi.json` and around it: types, sizes, encodings, headers, HTTP framing, hang-ups',
  engines: ['sqlite', 'postgres'],
  run: async (run) => {
    const { engine, tally } = run
    await Rig.with(engine, tally, (rig) => attack(rig, run), { env: { SAMPLE_DATA: 'on', SOURCES_RUN: 'off' } })
  },
}

async function attack(rig: Rig, { engines, requests, random, tally }: Run): Promise<void> {
  const operations = listOperations()
  const ids = await existingIds(rig)
  const keys: Keys = { own: rig.account.key, admin: ADMIN_TOKEN }
  // Clients that hang up get no answer, but may pay.
  const vanishing = await openAccountOver(rig.url, ADMIN_TOKEN)
  const seed = Math.floor(random() * 2 ** 31)
  const count = Math.ceil(requests / engines.length)
  const statuses = new Map<number, number>()
  let next = 0

  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      const choice = new Random(seed + index)
      if (choice.chance(0.03)) {
        await vanish(rig.port, hostileRequest(operations, ids, { ...keys, own: vanishing.key }, choice).parts, choice)
        tally.tried += 1
        continue
      }
      const isFramed = choice.chance(0.85)
      const request = isFramed
        ? hostileRequest(operations, ids, keys, choice)
        : { parts: brokenFraming(keys.own, choice), isHead: false, isStream: false, isDemo: false }
      const { parts, isHead, isStream, isDemo } = request
      const sent = isFramed && !isStream ? [...parts, PROBE] : parts
      const result = await exchange(rig.port, sent, { halfClose: !isFramed, isHead, untilHead: isStream })
      const problem = problemOf(result, isFramed && !isStream, isRelayed(parts))
      tally.check(problem === undefined, () => `${problem} (request ${index}): ${shown(parts)}`)
      if (!isDemo) rig.remember(result)
      for (const { status } of result.replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  await rig.recover(tally)
  await checkHealth(rig, tally)
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status}`)
  tally.note = `answers: ${counts.join(', ')}`
}

/** Returns the first problem with the replies to a request; undefined if there is none. */
function problemOf({ replies, end, rest }: Exchange, isProbed: boolean, isRelayed: boolean): string | undefined {
  if (end === 'hung') return 'no answer'
  if (rest !== '' && end === 'closed') return `bytes that are no reply: ${JSON.stringify(rest.slice(0, 100))}`
  for (const reply of replies) {
    const problem = replyProblem(reply, isRelayed)
    if (problem !== undefined) return problem
  }
  if (!isProbed) return undefined
  const [own, probe] = replies
  if (own === undefined) return `no reply before the connection was ${end}`
  // The service may close the connection after a reply; it then says so.
  if (own.headers.get('connection') === 'close') return replies.length === 1 ? undefined : 'replies after the last one'
  if (probe?.status !== 200 || replies.length !== 2) return `the next request on the connection got ${probe?.status}`
  return undefined
}

function replyProblem({ status, headers, body }: RawReply, isRelayed: boolean): string | undefined {
  // /ready is honest when the machine is too slow for a moment.
  if (status === 503 && body.includes('This server is not ready')) return undefined
  if (status >= 500) return `answer ${status}: ${body.slice(0, 200)}`
  if (status >= 400 && Number(headers.get('x-credits-cost') ?? 0) !== 0) return `a refusal ${status} that costs credits`
  if (Number(headers.get('x-credits-remaining') ?? 0) < 0) return 'negative X-Credits-Remaining'
  if (body === '' || !headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    const { success, openapi } = JSON.parse(Buffer.from(body, 'latin1').toString())
    // The description of the API is the one document of ours without an envelope.
    if (openapi !== undefined || isRelayed) return undefined
    return success === status < 400 ? undefined : `success is ${success} in an answer ${status}`
  } catch {
    return `an answer ${status} that is not JSON`
  }
}

/** Returns whether a request is for a relay. */
function isRelayed([head = '']: readonly (string | Uint8Array)[]): boolean {
  const [, target = ''] = Buffer.from(head).toString('latin1').split(' ', 2)
  return RELAYS.some((path) => target.startsWith(path))
}

/** Sends a part of a request and hangs up. */
async function vanish(port: number, parts: readonly (string | Uint8Array)[], random: Random): Promise<void> {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const length = random.chance(0.5) ? bytes.length : random.below(bytes.length)
  await exchange(port, [bytes.subarray(0, length)], { timeoutMs: random.below(20) })
}

async function existingIds(rig: Rig): Promise<string[]> {
  const pages = await Promise.all(LISTS.map((list) => rig.api(`/${list}?limit=5`)))
  return pages.flatMap(({ text }) => {
    const { data }: { data: { id: string; key?: string; slug?: string; symbol?: string }[] } = JSON.parse(text)
    return data.flatMap(({ id, key, slug, symbol }) => [id, key, slug, symbol].filter((name) => name !== undefined))
  })
}

async function checkHealth(rig: Rig, tally: Tally): Promise<void> {
  await delay(100) // writes that follow an answer, such as the request log
  const health = await rig.call('/health')
  if (health.status !== 200) tally.fail(`/health answers ${health.status} afterwards`)
  const audit = await rig.admin('/audit')
  if (!audit.text.includes('"isBalanced":true')) tally.fail(`the ledger does not add up: ${audit.text.slice(0, 300)}`)
}

function shown(parts: readonly (string | Uint8Array)[]): string {
  return JSON.stringify(
    Buffer.concat(parts.map((part) => Buffer.from(part)))
      .toString('latin1')
      .slice(0, 400),
  )
}
