import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Bus } from '../../bus/bus.ts'
import type { Clock } from '../../clock.ts'
import { isUsable, withSecret } from '../../model/accounts.ts'
import type { ApiError } from '../../model/errors.ts'
import { restrictionError } from '../../model/key-restrictions.ts'
import type { ClosingReason } from '../../model/streams.ts'
import { SECOND } from '../../model/time.ts'
import { effectiveCost } from '../../plans/cost.ts'
import { type Plan, planOf } from '../../plans/plans.ts'
import type { Store } from '../../store/store.ts'
import type { AccountStreams } from '../../store/streams/streams.ts'
import type { Caller } from '../caller.ts'
import { Credits } from '../credits.ts'
import type { Meter } from '../meter.ts'
import { InstanceLease, RENEW_MS } from './instance-lease.ts'
import { capReached, refusal } from './stream-refusals.ts'
import { type SettledAccount, StreamSettler } from './stream-settler.ts'

/** Slot of an open stream and the hold on a minute's cost. */
export interface StreamTicket {
  /** Settles the time of the stream and frees its slot. Safe to call again. */
  close(): Promise<void>
}

interface Stream {
  readonly id: string
  readonly endpoint: string
  readonly account: StreamAccount
  /** As it applies to the secret with which the stream was opened. */
  key: Caller['key']
  /** Address of the client. */
  readonly address: string | undefined
  /** Undefined while the stream is being opened: `open` then throws the reason. */
  end?: (reason: ClosingReason) => void
  endedBy?: ClosingReason
  /** Id of this instance when it took the slot. */
  instanceId?: string
  closedMs?: number
  /** Resolves once the closed stream is settled. */
  settled?: Promise<void>
}

interface StreamAccount extends SettledAccount {
  /** Oldest first. */
  streams: Stream[]
  /** Credits that the meter holds for the streams. */
  held: number
}

interface StreamMeterDeps {
  store: Store
  clock: Clock
  meter: Meter
  bus: Bus
  /** Credits for a minute, before the plan's multiplier. */
  perMinute: number
  /** Delays between attempts to take a slot that another stream may be about to free. */
  slotRetryMs?: readonly number[]
  onError: (error: unknown) => void
}

const REVIEW_MS = 20_000
const ACCOUNTS_AT_ONCE = 128
const STOP_ATTEMPTS = 3
const SLOT_RETRY_MS = [10, 40, 200]

/** Admits the streams of this instance and charges for them. Slots and time are in the store, holds are in memory. */
export class StreamMeter {
  /** Periodic work. No task may overlap with itself. */
  readonly tasks = [
    { everyMs: SECOND, run: () => this.postMinutes() },
    { everyMs: RENEW_MS, run: () => this.renewLease() },
    { everyMs: RENEW_MS, run: () => this.freeDeadSlots() },
    { everyMs: REVIEW_MS, run: () => this.review() },
  ] as const

  readonly #deps: StreamMeterDeps
  readonly #credits: Credits
  readonly #lease: InstanceLease
  readonly #settler: StreamSettler
  readonly #accounts = new Map<string, StreamAccount>()
  #isStopping = false

  constructor(deps: StreamMeterDeps) {
    const { store, clock, meter, bus, onError } = deps
    const creditsPerMinute = (account: { plan: Plan }) => this.creditsPerMinute(account)
    this.#deps = deps
    this.#credits = new Credits(store.ledger, meter, 'streams')
    this.#lease = new InstanceLease(store, clock, (account) => creditsPerMinute({ plan: planOf(account) }))
    this.#settler = new StreamSettler({ store, meter, moment: () => this.#lease.moment(), creditsPerMinute, onError })
    bus.subscribe('accounts', (accountId) => this.review(accountId === undefined ? undefined : [accountId]))
  }

  start(): Promise<void> {
    return this.#lease.start()
  }

  creditsPerMinute({ plan }: { plan: Plan }): number {
    return effectiveCost(this.#deps.perMinute, plan)
  }

  /**
   * Takes a slot and holds the cost of a minute; throws 402 or 429. `end` is called when the meter has closed the stream.
   */
  async open(
    caller: Caller,
    { id, endpoint, end }: { id: string; endpoint: string; end: (reason: ClosingReason) => void },
  ): Promise<StreamTicket> {
    const cost = this.creditsPerMinute(caller)
    if (!(await this.#credits.hold(caller.account.id, cost))) throw refusal('credits_exhausted', cost)
    // From here on a change of its key or plan ends the stream; the review below catches earlier changes.
    const stream = this.#add(caller, id, endpoint)
    stream.account.held += cost
    try {
      if (this.#isStopping) throw refusal('shutdown', cost)
      const hasSlot = await this.#waitForSlot(stream)
      if (!hasSlot && stream.endedBy === undefined) throw capReached(caller.plan)
      await this.#holdOrEnd(stream.account)
      await this.review([caller.account.id])
      if (stream.endedBy !== undefined) throw refusal(stream.endedBy, cost)
    } catch (error) {
      await this.#close(stream)
      throw error
    }
    stream.end = end
    return {
      close: async () => {
        await this.#close(stream)
        await this.#holdOrEnd(stream.account)
      },
    }
  }

  /** Returns the refusal that `open` would throw, without taking a slot. */
  async refusalOf(caller: Caller): Promise<ApiError | undefined> {
    const { account, plan } = caller
    const cost = this.creditsPerMinute(caller)
    if (!(await this.#credits.covers(account.id, cost))) return refusal('credits_exhausted', cost)
    if (this.#isStopping) return refusal('shutdown', cost)
    const open = await this.#deps.store.streams.countOpen(account.id)
    return open < plan.realtimeConnections ? undefined : capReached(plan)
  }

  /** Posts completed minutes and ends the streams of expired keys. */
  async postMinutes(): Promise<void> {
    const [nowMs, now] = [this.#lease.elapsedMs, this.#deps.clock.now()]
    const accounts = [...this.#accounts.values()]
    const expired = accounts.flatMap(({ streams }) => streams.filter(({ key }) => !isUsable(key, now)))
    const due = accounts.filter(({ dueMs }) => dueMs <= nowMs)
    while (due.length > 0) {
      await Promise.all(
        due.splice(0, ACCOUNTS_AT_ONCE).map((account) => this.#settle(account).then(() => this.#holdOrEnd(account))),
      )
    }
    await Promise.all(
      expired.map((stream) => this.#end(stream, 'key_revoked').then(() => this.#holdOrEnd(stream.account))),
    )
  }

  async renewLease(): Promise<void> {
    if (this.#deps.store.exclusive && this.#accounts.size === 0) return
    const failed = [...this.#accounts.values()].filter(({ failures }) => failures > 0)
    // Settlements lock accounts in this order, too.
    failed.sort((one, other) => (one.id < other.id ? -1 : 1))
    await this.#lease.renew(failed.flatMap(({ closed }) => closed))
  }

  /** Frees the slots of dead instances. If this instance was declared dead, takes slots again for its open streams. */
  async freeDeadSlots(): Promise<void> {
    if (this.#deps.store.exclusive) return
    const { id } = this.#lease
    await this.#lease.removeDead()
    // If the id has just changed, the slots of the old one are not free yet.
    if (id === this.#lease.id) await this.#retakeSlots()
  }

  /** Reads the keys and plans of the accounts, by default of all, and ends the streams that they no longer allow. */
  async review(accountIds: Iterable<string> = this.#accounts.keys()): Promise<void> {
    const known = [...accountIds].filter((id) => this.#accounts.has(id))
    while (known.length > 0) {
      const reviewed = await this.#deps.store.streams.listByAccount(known.splice(0, ACCOUNTS_AT_ONCE))
      await Promise.all(reviewed.map((account) => this.#apply(account)))
      if (known.length > 0) await nextTurn()
    }
  }

  /** Ends and settles every stream. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (let attempt = 0; attempt < STOP_ATTEMPTS && this.#accounts.size > 0; attempt += 1) {
      const accounts = [...this.#accounts.values()]
      await Promise.all(accounts.flatMap(({ streams }) => streams).map((stream) => this.#end(stream, 'shutdown')))
      await Promise.all(accounts.filter(({ closed }) => closed.length > 0).map((account) => this.#settle(account)))
    }
    await this.#lease.stop().catch(this.#deps.onError)
  }

  #add({ account: { id: accountId }, key, plan, address }: Caller, id: string, endpoint: string): Stream {
    const account = this.#accounts.get(accountId) ?? {
      id: accountId,
      plan,
      streams: [],
      closed: [],
      held: 0,
      dueMs: Number.POSITIVE_INFINITY,
      failures: 0,
    }
    this.#accounts.set(accountId, account)
    const stream: Stream = { id, endpoint, account, key, address }
    account.streams.push(stream)
    return stream
  }

  /** A client that reconnects at once may arrive before this instance notices the end of its old connection. */
  async #waitForSlot(stream: Stream): Promise<boolean> {
    const { account } = stream
    if (await this.#takeSlot(stream)) return true
    for (const waitMs of this.#deps.slotRetryMs ?? SLOT_RETRY_MS) {
      if (account.streams.length + account.closed.length === 1) return false
      await delay(waitMs)
      if (account.closed.length > 0) await this.#settle(account)
      if (stream.closedMs !== undefined) return false
      if (await this.#takeSlot(stream)) return true
    }
    return false
  }

  async #takeSlot(stream: Stream): Promise<boolean> {
    const { id, endpoint, account, key } = stream
    const moment = this.#lease.moment()
    const settled = await this.#deps.store.streams.open(
      {
        id,
        endpoint,
        accountId: account.id,
        apiKeyId: key.id,
        sessionId: key.sessionId,
        // Rounded up where the current time is rounded down, so that no time is charged twice.
        openedMs: Math.ceil(this.#deps.clock.elapsed()),
      },
      { maxOpen: account.plan.realtimeConnections, creditsPerMinute: this.creditsPerMinute(account) },
      moment,
    )
    if (settled === undefined) return false
    stream.instanceId = moment.instanceId
    this.#settler.update(account, settled, moment.elapsedMs)
    // The stream was closed in the meantime, and that settlement did not find it in the store.
    if (stream.closedMs !== undefined) await this.#settleClosed(stream, stream.closedMs)
    return true
  }

  async #retakeSlots(): Promise<void> {
    const open = [...this.#accounts.values()].flatMap(({ streams }) => streams)
    for (const stream of open) {
      if (stream.instanceId === undefined || stream.instanceId === this.#lease.id) continue
      // Other instances may have given the slot away.
      if (stream.closedMs === undefined && !(await this.#takeSlot(stream))) await this.#end(stream, 'rotation')
    }
  }

  async #apply(reviewed: AccountStreams): Promise<void> {
    const account = this.#accounts.get(reviewed.account.id)
    if (account === undefined) return
    account.plan = planOf(reviewed.account)
    const own = new Map(account.streams.map((stream) => [stream.id, stream]))
    for (const { id, key } of reviewed.streams) {
      const stream = own.get(id)
      if (stream !== undefined) stream.key = withSecret(key, stream.key.secretNumber)
    }
    const reasons = streamsToEnd(reviewed, account.plan, own, this.#deps.clock.now())
    await Promise.all(
      account.streams.map((stream) => {
        const reason = reasons.get(stream.id)
        return reason && this.#end(stream, reason)
      }),
    )
    await this.#holdOrEnd(account)
  }

  /** Holds a minute's cost for every stream and ends those that the balance does not cover, the newest first. */
  async #holdOrEnd(account: StreamAccount): Promise<void> {
    try {
      while (this.#hold(account).length > 0) {
        await this.#credits.reload(account.id)
        const uncovered = this.#hold(account)
        await Promise.all(uncovered.toReversed().map((stream) => this.#end(stream, 'credits_exhausted')))
      }
    } catch (error) {
      this.#deps.onError(error)
    }
  }

  /** Renews the hold of every stream. Returns the streams that the balance does not cover. */
  #hold(account: StreamAccount): Stream[] {
    const cost = this.creditsPerMinute(account)
    this.#deps.meter.release(account.id, account.held, 'streams')
    account.held = 0
    return account.streams.filter(() => {
      if (!this.#deps.meter.hold(account.id, cost, 'streams')) return true
      account.held += cost
      return false
    })
  }

  async #end(stream: Stream, reason: ClosingReason): Promise<void> {
    if (stream.settled !== undefined) return stream.settled
    stream.endedBy = reason
    await this.#close(stream)
    stream.end?.(reason)
  }

  #close(stream: Stream): Promise<void> {
    if (stream.settled === undefined) {
      const { account } = stream
      stream.closedMs = this.#lease.elapsedMs
      account.streams = account.streams.filter((other) => other !== stream)
      this.#hold(account)
      stream.settled = this.#settleClosed(stream, stream.closedMs)
    }
    return stream.settled
  }

  #settleClosed({ id, account }: Stream, closedMs: number): Promise<void> {
    account.closed.push({ id, closedMs })
    return this.#settle(account)
  }

  async #settle(account: StreamAccount): Promise<void> {
    await this.#settler.settle(account)
    const isIdle = account.streams.length + account.closed.length === 0
    if (isIdle && this.#accounts.get(account.id) === account) this.#accounts.delete(account.id)
  }
}

/**
 * Returns the streams whose key no longer allows them, and the newest streams beyond the plan's cap. The secrets and the
 * addresses of clients are known for the streams of this instance, its `own`.
 */
function streamsToEnd(
  { account, streams }: AccountStreams,
  plan: Plan,
  own: ReadonlyMap<string, Stream>,
  now: number,
): Map<string, ClosingReason> {
  const reasons = new Map<string, ClosingReason>()
  let kept = 0
  for (const { id, ...stream } of streams) {
    const { key, address } = own.get(id) ?? { ...stream, address: undefined }
    const isRefused = restrictionError(key, { scope: 'data', address }) !== undefined
    if (!account.isActive || !isUsable(key, now) || isRefused) reasons.set(id, 'key_revoked')
    else if (kept >= plan.realtimeConnections) reasons.set(id, 'plan_changed')
    else kept += 1
  }
  return reasons
}
