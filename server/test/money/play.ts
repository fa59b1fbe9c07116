import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { planRules } from '../../src/billing/plan-rules.ts'
import { ApiError } from '../../src/model/errors.ts'
import { HOUR, isoDay, MINUTE, SECOND } from '../../src/model/time.ts'
import { planOf } from '../../src/plans/plans.ts'
import type { ReceivedEvent } from '../../src/store/billing/processor-events.ts'
import { creditsByKind } from '../lots.ts'
import type { Command } from './commands.ts'
import { hearing } from './hearing.ts'
import { ReferenceAccount } from './reference.ts'
import type { MoneyRig } from './rig.ts'

/** Runs a list of commands on two accounts and compares each with its reference. */
export class Play {
  readonly #rig: MoneyRig
  readonly #ids: string[] = []
  readonly #references = new Map<string, ReferenceAccount>()
  #waiting: ReceivedEvent[] = []
  readonly #delivered: ReceivedEvent[] = []
  readonly #seen = new Set<string>()

  constructor(rig: MoneyRig) {
    this.#rig = rig
    rig.hearThrough((processor) => hearing(processor, this.#references, rig.clock.now))
  }

  async begin(plans: readonly ('free' | 'starter')[]): Promise<void> {
    for (const plan of plans) {
      const { id } = await this.#rig.open(plan)
      this.#ids.push(id)
      this.#references.set(id, new ReferenceAccount(plan, this.#rig.clock.now()))
    }
    await this.#rig.billing.sweeper.run()
  }

  async run(command: Command): Promise<void> {
    await this.#do(command)
    // Commands never share a second: the processor's timestamps could not order them.
    this.#rig.clock.advance(SECOND)
    await this.assertSame()
  }

  async #do(command: Command): Promise<void> {
    const { clock, sandbox, stripe, store, billing } = this.#rig
    const id = 'account' in command ? (this.#ids[command.account] ?? '') : ''
    const reference = this.#references.get(id)
    switch (command.do) {
      case 'pass':
        return this.#rig.pass(command.ms)
      case 'passTo':
        return this.#passTo(id, command.end, command.isBefore)
      case 'spend':
        assert.equal(await this.#rig.spend(id, command.credits), reference?.spend(command.credits))
        return
      case 'adjust':
        return this.#adjust(id, command.credits)
      case 'setPlan':
        if (reference?.subscription !== null) return
        await store.accounts.update(id, { planSlug: command.plan }, planRules(clock.now()))
        reference.setPlan(command.plan, clock.now())
        return
      case 'addKey':
        return this.#addKey(id)
      case 'revokeKey':
        return this.#revokeKey(id, command.pick)
      case 'buyPack':
        await this.#rig.buyPack(id, command.credits, ...buttonOf(command.how))
        return
      case 'subscribe':
        await unlessRefused(this.#rig.subscribe(id, command.plan, ...buttonOf(command.how)))
        return
      case 'change':
        await unlessRefused(billing.planChanges.change(await this.#rig.account(id), command.plan))
        return
      case 'cancel':
        await unlessRefused(billing.planChanges.cancel(await this.#rig.account(id)))
        return
      case 'setCard': {
        const { customerId } = await this.#rig.account(id)
        if (customerId !== null) await sandbox.setCard(customerId, command.card)
        return
      }
      case 'refund': {
        const payment = await this.#pick('payment_intent', 'succeeded', command.pick)
        if (payment === undefined) return
        const { amount } = await stripe.paymentIntents.retrieve(payment)
        const part = Math.ceil((amount * command.permille) / 1_000)
        await unlessImpossible(stripe.refunds.create({ payment_intent: payment, amount: part }))
        return
      }
      case 'failRefund': {
        const refund = await this.#pick('refund', 'succeeded', command.pick)
        if (refund !== undefined) await sandbox.failRefund(refund)
        return
      }
      case 'dispute': {
        const payment = await this.#pick('payment_intent', 'succeeded', command.pick)
        if (payment !== undefined) await unlessImpossible(sandbox.dispute(payment))
        return
      }
      case 'settle': {
        const dispute = await this.#pick('dispute', 'needs_response', command.pick)
        if (dispute !== undefined) await sandbox.settleDispute(dispute, command.outcome)
        return
      }
      case 'deliver':
        return this.#deliver(command.picks, command.instances)
      case 'sweep':
        await Promise.all(this.#instances(command.instances).map(({ sweeper }) => sweeper.run()))
        for (const { subscription, isInForce } of this.#plans()) assert.ok(subscription === null || isInForce)
        return
      case 'beginMonths':
        await Promise.all(Array.from({ length: command.instances }, () => this.#rig.beginMonths()))
        for (const one of this.#references.values()) one.beginMonths(clock.now())
    }
  }

  /** Moves the clock to a minute before or after the end of the month or of the grace period, if known. */
  async #passTo(accountId: string, end: 'periodEnd' | 'graceUntil', isBefore: boolean): Promise<void> {
    const [last] = await this.#rig.store.subscriptions.list(accountId)
    const at = (last?.[end] ?? 0) + (isBefore ? -MINUTE : MINUTE)
    if (at > this.#rig.clock.now()) await this.#rig.pass(at - this.#rig.clock.now())
  }

  #plans() {
    const now = this.#rig.clock.now()
    return [...this.#references.values()].map((one) => {
      const { subscription } = one
      return { subscription, isInForce: one.isPaidFor(subscription, now) }
    })
  }

  #instances(count: number) {
    return Array.from({ length: count }, () => this.#rig.instance({}))
  }

  /** Returns the id of an object with this status. */
  async #pick(kind: 'payment_intent' | 'refund' | 'dispute', status: string, pick: number) {
    const found = (await this.#rig.documents(kind)).filter((one) => one.status === status)
    return found[pick % found.length]?.id
  }

  async #adjust(accountId: string, credits: number): Promise<void> {
    if (credits === 0) return
    const { store, clock } = this.#rig
    const idempotencyKey = `adjustment:${randomUUID()}`
    const transfer = {
      accountId,
      credits,
      kind: 'adjustment',
      description: 'test',
      idempotencyKey,
      at: clock.now(),
    } as const
    const isPosted = await (credits > 0 ? store.ledger.grant(transfer, 'adjustment') : store.ledger.withdraw(transfer))
    assert.equal(isPosted, this.#references.get(accountId)?.adjust(credits))
  }

  async #addKey(accountId: string): Promise<void> {
    const { store, clock } = this.#rig
    const hash = randomUUID()
    const key = { accountId, name: hash, prefix: 'mt_test', hash, expiresAt: null, createdAt: clock.now() }
    const most = planOf(await this.#rig.account(accountId)).maxApiKeys
    const isAdded = (await store.keys.insert(key, most)) !== undefined
    assert.equal(isAdded, this.#references.get(accountId)?.addKey())
  }

  async #revokeKey(accountId: string, pick: number): Promise<void> {
    const { store } = this.#rig
    const keys = await store.keys.list(accountId)
    // The first key makes the requests, so it is never revoked.
    const index = 1 + (pick % keys.length)
    const key = keys[index]
    if (key === undefined) return
    await store.keys.revoke(accountId, key.id)
    const reference = this.#references.get(accountId)
    if (reference !== undefined) reference.keys[index] = 'revoked'
  }

  /** Delivers some of the waiting events, in any order, and repeats some delivered earlier. */
  async #deliver(picks: readonly number[], instances: number): Promise<void> {
    await this.#listen()
    for (const pick of picks) {
      const all = [...this.#waiting, ...this.#delivered]
      const event = all[pick % all.length]
      if (event === undefined) return
      const taken = await Promise.all(this.#instances(instances).map(({ inbox }) => inbox.process(event)))
      assert.ok(taken.every((isTaken) => isTaken))
      this.#waiting = this.#waiting.filter((one) => one !== event)
      if (!this.#delivered.includes(event)) this.#delivered.push(event)
    }
  }

  async #listen(): Promise<void> {
    for (const event of await this.#rig.events()) {
      if (this.#seen.has(event.id)) continue
      this.#seen.add(event.id)
      this.#waiting.push(event)
    }
  }

  /** Delivers all waiting events, sweeps, and asserts that nothing is missing. */
  async end(): Promise<void> {
    await this.#listen()
    await this.#rig.deliver(this.#waiting.toReversed())
    for (let round = 0; round < 4; round += 1) {
      await this.#rig.pass(2 * HOUR)
      await this.#rig.billing.sweeper.run()
      await this.assertSame()
    }
    for (const [id, reference] of this.#references) await this.#assertComplete(id, reference)
    assert.deepEqual(this.#rig.problems, [])
  }

  async assertSame(): Promise<void> {
    const { store } = this.#rig
    for (const [id, reference] of this.#references) {
      const account = await this.#rig.account(id)
      const { monthly = 0, signup = 0, pack = 0, adjustment = 0 } = await creditsByKind(store, id)
      const keys = await store.keys.list(id)
      const actual = {
        balance: account.balance,
        left: { monthly, signup, pack, adjustment },
        owed: await store.reversals.owed(id),
        plan: account.planSlug,
        subscription: account.subscriptionId,
        keys: keys.map((key) => (key.isActive ? 'active' : key.inactiveReason === 'revoked' ? 'revoked' : 'beyond')),
      }
      const { balance, owed, plan, subscription } = reference
      const state = await store.accounts.state(id, isoDay(0), this.#rig.clock.now())
      const activeKeys = actual.keys.filter((key) => key === 'active').length
      assert.partialDeepStrictEqual(state, {
        balance,
        monthly,
        granted: signup + adjustment,
        purchased: pack,
        owed,
        activeKeys,
      })
      assert.deepEqual(actual, { balance, left: reference.left(), owed, plan, subscription, keys: reference.keys })
      assert.ok(account.balance >= 0)
      assert.ok(owed === 0 || signup + pack + adjustment === 0)
    }
    await this.#rig.audit()
  }

  /** Asserts that every payment at the processor was recorded and that the plan matches the subscription there. */
  async #assertComplete(id: string, reference: ReferenceAccount): Promise<void> {
    const { stripe } = this.#rig
    const { customerId, planSlug } = await this.#rig.account(id)
    if (customerId === null) return
    const sessions = await Array.fromAsync(stripe.checkout.sessions.list({ customer: customerId, limit: 100 }))
    const packs = sessions.filter((one) => one.mode === 'payment' && one.payment_status === 'paid')
    const invoices = await Array.fromAsync(stripe.invoices.list({ customer: customerId, limit: 100 }))
    const bills = invoices.filter((one) => one.status === 'paid')
    const paid = [...packs.map((one) => [one.id, one.amount_total]), ...bills.map((one) => [one.id, one.amount_paid])]
    const heard = [...reference.purchases.values()].map((one) => [one.id, one.cents])
    assert.deepEqual(heard.toSorted(), paid.toSorted())
    const subscriptions = await Array.fromAsync(stripe.subscriptions.list({ customer: customerId, status: 'all' }))
    const live = subscriptions.filter(({ status }) => status !== 'canceled')
    assert.ok(live.length <= 1)
    const [subscription] = live
    assert.equal(reference.subscription, subscription?.id ?? null)
    const cents = subscription?.items.data[0]?.price.unit_amount
    if (cents !== undefined)
      assert.equal((planOf({ planSlug, overrides: {}, isDemo: false }).priceUsd ?? 0) * 100, cents)
  }
}

function buttonOf(how: string): [string, Record<string, string>] {
  switch (how) {
    case 'pay and fail later':
      return ['pay', { renewals: 'fail' }]
    case 'transfer':
      return ['pay-later', { transfer: 'arrives' }]
    case 'no transfer':
      return ['pay-later', { transfer: 'fails' }]
    default:
      return [how, {}]
  }
}

/** Ignores refusals by the service. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

/** Ignores refusals by the processor because of the object's state: refunded twice, already disputed. */
async function unlessImpossible(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    const isRefused = error instanceof Error && /refunded|dispute|charged back/.test(error.message)
    if (!isRefused) throw error
  })
}
