import { randomUUID } from 'node:crypto'
import { endpoints } from '../src/api/index.ts'
import { routeOf } from '../src/http/endpoint.ts'
import type { LoggedRequest } from '../src/model/request-log.ts'
import { DAY } from '../src/model/time.ts'
import { createRandom } from '../src/sample/world/random.ts'
import type { Store } from '../src/store/store.ts'
import { type BenchAccount, timed, withStore } from './service.ts'

const DAYS = 30
/** Requests per transaction, as a busy service groups them. */
const BATCH = 100
const FACT = 'bench-account'

/**
 * Fills the log of an account with requests of the last month. `open` creates the account. Returns it, or the one whose log
 * was filled before.
 */
export async function withRequestLog(
  place: string,
  count: number,
  open: () => Promise<BenchAccount>,
): Promise<BenchAccount> {
  let known: string | undefined
  await withStore(place, async (store) => {
    known = await store.metadata.find(FACT)
  })
  if (known !== undefined) return JSON.parse(known)
  const account = await open()
  await withStore(place, async (store) => {
    await timed(count, 'logged requests', () => insertRequests(store, account, count, Date.now()))
    await store.metadata.remember(FACT, JSON.stringify(account))
  })
  return account
}

async function insertRequests(store: Store, account: BenchAccount, count: number, now: number): Promise<void> {
  const [key] = await store.keys.list(account.id)
  if (key === undefined) throw new Error('the account of the bench has no key')
  const random = createRandom('request log')
  const routes = endpoints.filter(({ method, access }) => method === 'GET' && access === 'key')
  for (let done = 0; done < count; done += BATCH) {
    const requests = Array.from({ length: Math.min(BATCH, count - done) }, (_, place): LoggedRequest => {
      const route = random.pick(routes)
      const isFailed = random.next() < 0.05
      return {
        id: randomUUID(),
        accountId: account.id,
        apiKeyId: key.id,
        endpoint: `${route.method} ${route.path}`,
        method: route.method,
        path: routeOf(route),
        query: null,
        statusCode: isFailed ? 404 : 200,
        errorCode: isFailed ? 'NOT_FOUND' : null,
        credits: isFailed ? 0 : route.cost.credits,
        durationMs: Math.ceil(random.between(1, 20)),
        responseBytes: Math.ceil(random.between(500, 30_000)),
        createdAt: Math.floor(now - DAYS * DAY * (1 - (done + place) / count)),
      }
    })
    await store.requestLog.record(requests, [], randomUUID())
  }
}
