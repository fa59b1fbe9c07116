import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Balance } from '../model/accounts.ts'
import type { Meter, MeterAsk, MeterVerdict, RateAsk } from './meter.ts'
import { HOUR_WINDOW, KeyRate, type LimitState, type RateVerdict, type SlotUse } from './rate.ts'

const MAX_KEYS = 100_000

/** Meter of a single process. Every method is synchronous and therefore atomic. */
export class MemoryMeter implements Meter {
  readonly isShared = false
  readonly #clock: Clock
  readonly #rates = new LRUCache<string, KeyRate>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 })
  readonly #balances = new Map<string, { balance: number; transferId: number; held: number }>()

  /** Wall time at an elapsed time of 0, as of the start. */
  readonly #origin: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#origin = clock.now() - clock.elapsed()
  }

  admit(ask: MeterAsk): MeterVerdict {
    const rate = this.#rate(ask.keyId).take(ask.limits, this.#now())
    return { rate, isHeld: rate.isAllowed && this.hold(ask.accountId, ask.cost) }
  }

  peek({ keyId, limits }: RateAsk): RateVerdict {
    return this.#rate(keyId).peek(limits, this.#now())
  }

  hold(accountId: string, cost: number): boolean {
    if (!this.covers(accountId, cost)) return false
    if (cost > 0) this.#account(accountId).held += cost
    return true
  }

  covers(accountId: string, cost: number): boolean {
    if (cost === 0) return true
    const account = this.#account(accountId)
    return account.balance - account.held >= cost
  }

  /** The holds of this process are all there are. */
  isContended(): boolean {
    return false
  }

  holdAnyway(accountId: string, cost: number): void {
    this.#account(accountId).held += cost
  }

  release(accountId: string, cost: number): void {
    this.#account(accountId).held -= cost
  }

  settle(accountId: string, cost: number, balance: Balance): void {
    this.release(accountId, cost)
    if (balance.transferId >= this.#account(accountId).transferId) this.setBalance(accountId, balance)
  }

  setBalance(accountId: string, { credits, transferId }: Balance): void {
    Object.assign(this.#account(accountId), { balance: credits, transferId })
  }

  lastTransfer(accountId: string): number | undefined {
    return this.#balances.get(accountId)?.transferId
  }

  available(accountId: string): number | undefined {
    const account = this.#balances.get(accountId)
    return account && account.balance - account.held
  }

  held(accountId: string): number {
    return this.#account(accountId).held
  }

  knowsKey(keyId: string): boolean {
    return this.#rates.get(keyId) !== undefined
  }

  restoreKey({ keyId, limits }: RateAsk, used: readonly SlotUse[]): void {
    if (this.knowsKey(keyId)) return
    const now = this.#now()
    const wallTime = this.#clock.now()
    const { slotMs } = HOUR_WINDOW
    // In whole slots, so that slots stay aligned.
    const shift = Math.round((now - wallTime) / slotMs) * slotMs
    const past: SlotUse[] = []
    // The clock was set back after requests that the log dates in the future. Their age is unknown.
    for (const { at, count } of used) if (at <= wallTime) past.push({ at: at + shift, count })
    this.#rate(keyId).restore(past, limits, now)
  }

  limits({ keyId, limits }: RateAsk): LimitState[] {
    return this.#rate(keyId).state(limits, this.#now())
  }

  /** Returns the time for rates: the wall time of the start plus the time since, so that setting the clock has no effect. */
  #now(): number {
    return Math.floor(this.#origin + this.#clock.elapsed())
  }

  #rate(keyId: string): KeyRate {
    const known = this.#rates.get(keyId)
    if (known !== undefined) return known
    const rate = new KeyRate()
    this.#rates.set(keyId, rate)
    return rate
  }

  #account(accountId: string) {
    const known = this.#balances.get(accountId)
    if (known !== undefined) return known
    const account = { balance: 0, transferId: 0, held: 0 }
    this.#balances.set(accountId, account)
    return account
  }
}
