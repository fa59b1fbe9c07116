import { after, before } from 'node:test'
import { TestService } from './harness.ts'
import { RedisServer } from './redis.ts'
import { NO_LIMITS } from './unlimited-account.ts'

/** Several instances of a service on one PostgreSQL and one Redis, in this process. */
export class Instances {
  all: TestService[] = []
  redis!: RedisServer

  async start(count: number): Promise<void> {
    this.redis = await RedisServer.start()
    const first = await TestService.start('postgres', { REDIS_URL: this.redis.url })
    this.all = [first]
    while (this.all.length < count) this.all.push(await first.twin())
  }

  get first(): TestService {
    return this.of(0)
  }

  /** Returns an instance; numbers beyond the last start again with the first. */
  of(number: number): TestService {
    const service = this.all[number % this.all.length]
    if (service === undefined) throw new Error('no instance was started')
    return service
  }

  /** Opens an account with this balance and no limits of its rate. */
  async open(balance: number): Promise<{ id: string; key: string }> {
    const account = await this.first.open('custom', balance)
    await this.first.admin(`/accounts/${account.id}`, { method: 'PATCH', body: { overrides: NO_LIMITS } })
    return account
  }

  /** Waits until all instances have written their charges, and returns the balance. */
  async balance(accountId: string): Promise<number> {
    for (const { mintick } of this.all) await mintick.admission.requestWriter.drain()
    return this.first.mintick.store.ledger.balance(accountId)
  }

  async stop(): Promise<void> {
    for (const { mintick } of this.all.slice(1)) await mintick.close()
    await this.first.stop()
    await this.redis.stop()
  }
}

/** Declares instances for the tests of a suite. */
export function instancesForSuite(count: number): Instances {
  const instances = new Instances()
  before(() => instances.start(count))
  after(() => instances.stop())
  return instances
}
