/** Services with billing, for tests: always stopped, with an audit of the ledger at the end. */
import { after, afterEach, before, type TestContext } from 'node:test'
import { MINUTE } from '../src/model/time.ts'
import { assertBalanced, pass } from './buyer.ts'
import { type Engine, type FakeClock, TestService } from './harness.ts'

/**
 * Declares a service for the tests of a suite. Subscriptions end with the test that created them, since each month that
 * passes would renew them all. PostgreSQL suites receive webhooks and SQLite suites sweep: both must have the same result.
 */
export function shopForSuite(engine: Engine): () => TestService {
  let shop: TestService
  before(async () => {
    shop = await TestService.start(engine)
    if (engine === 'postgres') await shop.listen()
  })
  afterEach(async () => {
    const { store, billing } = shop.mintick
    for (const { subscriptionId } of (await store.accounts.page(1_000, 0)).data) {
      if (subscriptionId !== null) await billing?.processor.cancelNow(subscriptionId)
    }
    await pass(shop, MINUTE)
  })
  after(() => closeShop(shop))
  return () => shop
}

/** Starts a service for a single test. */
export async function openShop(context: TestContext, engine: Engine, clock?: FakeClock): Promise<TestService> {
  const shop = await TestService.start(engine, {}, clock)
  context.after(() => closeShop(shop))
  return shop
}

/** Starts two instances at the same address. SQLite supports only one, which is returned twice. */
export async function openInstances(context: TestContext, engine: Engine): Promise<[TestService, TestService]> {
  const shop = await TestService.start(engine, { PUBLIC_URL: 'http://shop.example' })
  const twin = engine === 'postgres' ? await shop.twin() : shop
  context.after(async () => {
    if (twin !== shop) await twin.mintick.close()
    await closeShop(shop)
  })
  return [shop, twin]
}

async function closeShop(shop: TestService): Promise<void> {
  try {
    await assertBalanced(shop)
  } finally {
    await shop.stop()
  }
}
