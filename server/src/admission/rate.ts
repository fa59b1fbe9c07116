import type { Plan } from '../plans/plans.ts'

export type RateLimits = Pick<Plan, 'burst' | 'requestsPerMinute' | 'requestsPerHour' | 'requestsPerDay'>

/** State of one limit, for the RateLimit header and GET /account/usage. */
export interface LimitState {
  window: 'burst' | 'hour' | 'day'
  limit: number
  remaining: number
  /** Whole seconds until the burst is full again, or until the hour or day frees its oldest slot. */
  resetSeconds: number
}

export interface RateVerdict {
  isAllowed: boolean
  /** Whole seconds after which one request is certain to be allowed. */
  retryAfterSeconds: number
  limits: LimitState[]
}

export const HOUR_WINDOW = { window: 'hour', lengthMs: 3_600_000, slotMs: 10_000 } as const
export const DAY_WINDOW = { window: 'day', lengthMs: 86_400_000, slotMs: 240_000 } as const

/** Number of requests in the slot that starts at this time. */
export interface SlotUse {
  at: number
  count: number
}

/** Rate of one key: a token bucket and two rolling windows. Refused requests do not count. */
export class KeyRate {
  readonly #bucket = new TokenBucket()
  readonly #hour = new RollingWindow(HOUR_WINDOW)
  readonly #day = new RollingWindow(DAY_WINDOW)

  take(limits: RateLimits, now: number): RateVerdict {
    const waitMs = this.#waitMs(limits, now)
    if (waitMs === 0) {
      this.#bucket.take()
      this.#hour.add(now, 1)
      this.#day.add(now, 1)
    }
    return this.#verdict(waitMs, limits, now)
  }

  /** Returns the verdict on a request without counting it. */
  peek(limits: RateLimits, now: number): RateVerdict {
    return this.#verdict(this.#waitMs(limits, now), limits, now)
  }

  #waitMs(limits: RateLimits, now: number): number {
    return Math.max(
      this.#bucket.waitMs(limits.burst, limits.requestsPerMinute, now),
      this.#hour.waitMs(limits.requestsPerHour, now),
      this.#day.waitMs(limits.requestsPerDay, now),
    )
  }

  #verdict(waitMs: number, limits: RateLimits, now: number): RateVerdict {
    return { isAllowed: waitMs === 0, retryAfterSeconds: Math.ceil(waitMs / 1_000), limits: this.state(limits, now) }
  }

  state(limits: RateLimits, now: number): LimitState[] {
    return [
      this.#bucket.state(limits.burst, limits.requestsPerMinute, now),
      this.#hour.state(limits.requestsPerHour, now),
      this.#day.state(limits.requestsPerDay, now),
    ]
  }

  /** Restores the usage from before a restart: requests per slot of the hour window, in ascending order. */
  restore(used: Iterable<SlotUse>, limits: RateLimits, now: number): void {
    for (const { at, count } of used) {
      // The exact time within the slot is unknown; the end of the slot is the safe assumption.
      const latest = Math.min(at + HOUR_WINDOW.slotMs, now)
      this.#bucket.drain(limits.burst, limits.requestsPerMinute, latest, count)
      this.#hour.add(at, count)
      this.#day.add(at, count)
    }
  }
}

/**
 * Token bucket of `burst` requests that refills by `perMinute`. It counts in 1/60,000 of a request, of which `perMinute`
 * arrive each millisecond, so that all arithmetic is exact.
 */
export class TokenBucket {
  static readonly REQUEST = 60_000
  #level = Number.POSITIVE_INFINITY
  #at = 0

  waitMs(burst: number, perMinute: number, now: number): number {
    this.#refill(burst, perMinute, now)
    return this.#msUntil(TokenBucket.REQUEST, perMinute, now)
  }

  take(): void {
    this.#level -= TokenBucket.REQUEST
  }

  /** Takes up to this many requests. */
  drain(burst: number, perMinute: number, now: number, requests: number): void {
    this.#refill(burst, perMinute, now)
    this.#level = Math.max(0, this.#level - requests * TokenBucket.REQUEST)
  }

  state(burst: number, perMinute: number, now: number): LimitState {
    this.#refill(burst, perMinute, now)
    return {
      window: 'burst',
      limit: burst,
      remaining: Math.floor(this.#level / TokenBucket.REQUEST),
      resetSeconds: Math.ceil(this.#msUntil(burst * TokenBucket.REQUEST, perMinute, now) / 1_000),
    }
  }

  #msUntil(level: number, perMinute: number, now: number): number {
    if (this.#level >= level) return 0
    // After the clock was set back, the bucket refills only once the clock has caught up.
    return this.#at - now + Math.ceil((level - this.#level) / perMinute)
  }

  #refill(burst: number, perMinute: number, now: number): void {
    // A clock that was set back changes nothing.
    const elapsed = Math.max(0, now - this.#at)
    this.#level = Math.min(burst * TokenBucket.REQUEST, this.#level + elapsed * perMinute)
    this.#at = Math.max(this.#at, now)
  }
}

/**
 * Counts the requests of the last hour or day in slots. A slot counts in full until all of it has left the window, so the
 * limit is never exceeded; at worst a refusal lasts one slot longer than necessary.
 */
class RollingWindow {
  readonly #window: 'hour' | 'day'
  readonly #lengthMs: number
  readonly #slotMs: number
  #slots: { slot: number; count: number }[] = []
  #used = 0

  constructor(shape: typeof HOUR_WINDOW | typeof DAY_WINDOW) {
    this.#window = shape.window
    this.#lengthMs = shape.lengthMs
    this.#slotMs = shape.slotMs
  }

  add(now: number, count: number): void {
    // After the clock was set back requests count in the newest slot, so that slots stay in order.
    const last = this.#slots.at(-1)
    const slot = Math.max(Math.floor(now / this.#slotMs), last?.slot ?? 0)
    if (last?.slot === slot) last.count += count
    else this.#slots.push({ slot, count })
    this.#used += count
  }

  waitMs(limit: number, now: number): number {
    this.#expire(now)
    let used = this.#used
    let wait = 0
    for (const { slot, count } of this.#slots) {
      if (used < limit) break
      used -= count
      wait = this.#leavesAt(slot) - now
    }
    return wait
  }

  state(limit: number, now: number): LimitState {
    this.#expire(now)
    const oldest = this.#slots[0]
    return {
      window: this.#window,
      limit,
      remaining: Math.max(0, limit - this.#used),
      resetSeconds: oldest === undefined ? 0 : Math.ceil((this.#leavesAt(oldest.slot) - now) / 1_000),
    }
  }

  #leavesAt(slot: number): number {
    return (slot + 1) * this.#slotMs + this.#lengthMs
  }

  #expire(now: number): void {
    let gone = 0
    for (const { slot, count } of this.#slots) {
      if (this.#leavesAt(slot) > now) break
      this.#used -= count
      gone += 1
    }
    if (gone > 0) this.#slots = this.#slots.slice(gone)
  }
}
