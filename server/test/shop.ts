/** Services that sell, for tests: stopped whatever happens, with books that have to add up at the end. */
import { after, afterEach, before, type TestContext } from 'node:test'
import { MINUTE } from '../src/model/time.ts'
import { assertBalanced, pass } from './buyer.ts'
import { type Engine, type FakeClock, TestService } from './harness.ts'

/**
 * One for the tests of a suite. Subscriptions end with the test that made them, since each month that passes would renew
 * them all. On one engine the news comes by messages, on the other by sweeps: it has to come to the same.
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

/** One for a single test. */
export async function openShop(context: TestContext, engine: Engine, clock?: FakeClock): Promise<TestService> {
  const shop = await TestService.start(engine, {}, clock)
  context.after(() => closeShop(shop))
  return shop
}

/** Two instances of one, reached at the same address. With SQLite, which has one, it is there twice. */
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
  await assertBalanced(shop)
  await shop.stop()
}
