import { PLANS, type PlanSlug } from '../../src/plans/plans.ts'

type LotKind = 'monthly' | 'signup' | 'pack' | 'adjustment'

interface Lot {
  kind: LotKind
  left: number
  expired: number
  purchase?: string
  periodEnd?: number
}

interface Purchase {
  id: string
  kind: 'monthly' | 'pack'
  credits: number
  cents: number
  periodEnd?: number
}

interface Reversal {
  id: string
  at: number
  credits: number
  /** Sources of the credits: the purchase itself, its expired credits, other credits; the rest is owed. */
  own: number
  lapsed: number
  others: number
  owed: number
}

interface HeardReversal {
  id: string
  amountUsdCents: number
  createdAt: number
  isInForce: boolean
}

export interface HeardSubscription {
  id: string
  planSlug: PlanSlug
  status: string
  anchor: number
  createdAt: number
  failedInvoiceAt: number | null
  isEverPaid: boolean
}

const DAY = 86_400_000
const GRACE_DAYS = 7

/** A minimal model of one account and its money, to compare with the real account. */
export class ReferenceAccount {
  plan: PlanSlug
  /** Id of the subscription that determines the plan. */
  subscription: string | null = null
  readonly purchases = new Map<string, Purchase>()
  readonly keys: ('active' | 'beyond' | 'revoked')[] = ['active']
  #lots: Lot[] = []
  readonly #reversals = new Map<string, Map<string, Reversal>>()
  readonly #subscriptions = new Map<string, HeardSubscription>()
  #anchor: number
  #nextMonthAt: number

  constructor(plan: PlanSlug, now: number) {
    this.plan = plan
    this.#anchor = now
    this.#nextMonthAt = monthAfter(now, now)
    const { signupCredits, monthlyCredits } = PLANS[plan]
    this.#add({ kind: 'signup', left: signupCredits ?? 0 })
    this.#add({ kind: 'monthly', left: monthlyCredits ?? 0, periodEnd: this.#nextMonthAt })
  }

  get balance(): number {
    return sum(this.#lots.map(({ left }) => left))
  }

  get owed(): number {
    return sum(this.#allReversals().map(({ owed }) => owed))
  }

  left(): Record<LotKind, number> {
    const of = (kind: LotKind) => sum(this.#lots.filter((lot) => lot.kind === kind).map(({ left }) => left))
    return { monthly: of('monthly'), signup: of('signup'), pack: of('pack'), adjustment: of('adjustment') }
  }

  /** Spends all of the credits or none: monthly credits first, then signup credits, then the others by age. */
  spend(credits: number): boolean {
    if (credits > this.balance) return false
    const monthly = this.#lots.filter(({ kind }) => kind === 'monthly')
    take([...monthly, ...this.#lasting()], credits)
    return true
  }

  adjust(credits: number): boolean {
    if (credits < 0) return this.spend(-credits)
    this.#addLasting({ kind: 'adjustment', left: credits })
    return true
  }

  /** Records a pack, or a month of a plan if `periodEnd` is set. Repeated payments have no effect. */
  pay(purchase: Omit<Purchase, 'kind'>, now: number): void {
    if (this.purchases.has(purchase.id)) return
    const kind = purchase.periodEnd === undefined ? 'pack' : 'monthly'
    this.purchases.set(purchase.id, { ...purchase, kind })
    const lot = { left: purchase.credits, purchase: purchase.id }
    if (purchase.periodEnd === undefined) this.#addLasting({ kind: 'pack', ...lot })
    else this.#addPaidMonth({ ...lot, periodEnd: purchase.periodEnd }, now)
  }

  /** Applies the current refunds and disputes of a purchase. Restores the credits of those no longer in force. */
  reverse(purchaseId: string, told: readonly HeardReversal[], now: number): void {
    const purchase = this.purchases.get(purchaseId)
    if (purchase === undefined) throw new Error(`${purchaseId} was not paid`)
    const known = this.#reversals.get(purchaseId) ?? new Map<string, Reversal>()
    this.#reversals.set(purchaseId, known)
    const wanted = shares(purchase, told)
    for (const { id, createdAt } of told) {
      if (wanted.has(id) && !known.has(id)) known.set(id, { id, at: createdAt, ...NOTHING })
    }
    const inOrder = [...known.values()].toSorted(byTime)
    for (const one of inOrder) this.#giveBack(purchase, one, one.credits - (wanted.get(one.id) ?? 0), now)
    for (const one of inOrder) this.#takeBack(purchase, one, (wanted.get(one.id) ?? 0) - one.credits)
  }

  #takeBack(purchase: Purchase, reversal: Reversal, credits: number): void {
    if (credits <= 0) return
    const ofPurchase = this.#lots.filter((lot) => lot.purchase === purchase.id)
    const own = take(
      ofPurchase.filter(({ kind }) => kind === purchase.kind),
      credits,
    )
    const counted = sum([...(this.#reversals.get(purchase.id)?.values() ?? [])].map(({ lapsed }) => lapsed))
    const lapsed = Math.min(credits - own, sum(ofPurchase.map(({ expired }) => expired)) - counted)
    const others = take(this.#lasting(), credits - own - lapsed)
    reversal.credits += credits
    reversal.own += own
    reversal.lapsed += lapsed
    reversal.others += others
    reversal.owed += credits - own - lapsed - others
  }

  #giveBack(purchase: Purchase, reversal: Reversal, credits: number, now: number): void {
    if (credits <= 0) return
    reversal.credits -= credits
    let left = credits
    const back = (from: 'owed' | 'others' | 'lapsed' | 'own') => {
      const part = Math.min(left, reversal[from])
      reversal[from] -= part
      left -= part
      return part
    }
    back('owed')
    const others = back('others')
    back('lapsed')
    const own = back('own')
    const { periodEnd } = purchase
    const lasting = others + (periodEnd === undefined ? own : 0)
    this.#addLasting({ kind: 'pack', left: lasting, purchase: purchase.id })
    if (periodEnd !== undefined) this.#addPaidMonth({ left: own, purchase: purchase.id, periodEnd }, now)
  }

  /** Updates the plan from the state of a subscription. */
  hear(subscription: HeardSubscription, now: number): void {
    this.beginMonths(now)
    this.#subscriptions.set(subscription.id, subscription)
    const [inForce] = [...this.#subscriptions.values()]
      .filter((one) => isInForce(one, now))
      .toSorted((one, other) => priceOf(other) - priceOf(one) || one.createdAt - other.createdAt)
    const hadNone = this.subscription === null && inForce === undefined
    if (inForce !== undefined) {
      this.plan = inForce.planSlug
      this.subscription = inForce.id
      this.#anchor = inForce.anchor
      this.#nextMonthAt = monthAfter(inForce.anchor, now)
    } else if (this.subscription !== null) {
      this.plan = 'free'
      this.subscription = null
    }
    this.#endPaidMonths(now)
    if (!hadNone) this.#fitKeys()
  }

  /** Returns whether the subscription is paid or within its grace period. */
  isPaidFor(subscriptionId: string | null, now: number): boolean {
    const subscription = this.#subscriptions.get(subscriptionId ?? '')
    return subscription !== undefined && isInForce(subscription, now)
  }

  /** Sets the plan as the operator. A subscription takes precedence. */
  setPlan(plan: PlanSlug, now: number): void {
    this.beginMonths(now)
    if (this.subscription === null) this.plan = plan
    this.#fitKeys()
  }

  /** Starts the months due by `now`. Grants the plan's credits unless a subscription pays for the month. */
  beginMonths(now: number): void {
    while (this.#nextMonthAt <= now) {
      const end = monthAfter(this.#anchor, this.#nextMonthAt)
      this.#endPaidMonths(this.#nextMonthAt)
      const credits = this.subscription === null ? (PLANS[this.plan].monthlyCredits ?? 0) : 0
      this.#addMonthly({ left: credits, periodEnd: end })
      this.#nextMonthAt = end
    }
  }

  addKey(): boolean {
    const active = this.keys.filter((state) => state === 'active').length
    if (active >= PLANS[this.plan].maxApiKeys) return false
    this.keys.push('active')
    return true
  }

  /** Keeps active keys, oldest first, up to the plan's limit; reactivates keys beyond an earlier limit if there is room. */
  #fitKeys(): void {
    const of = (state: string) => [...this.keys.keys()].filter((index) => this.keys[index] === state)
    for (const [place, index] of [...of('active'), ...of('beyond')].entries()) {
      this.keys[index] = place < PLANS[this.plan].maxApiKeys ? 'active' : 'beyond'
    }
  }

  #lasting(): Lot[] {
    const signup = this.#lots.filter(({ kind }) => kind === 'signup')
    const others = this.#lots.filter(({ kind }) => kind === 'pack' || kind === 'adjustment')
    return [...signup, ...others]
  }

  #add(lot: Omit<Lot, 'expired'>): void {
    if (lot.left > 0) this.#lots.push({ ...lot, expired: 0 })
  }

  /** Adds credits that do not expire and repays debts with them, oldest first. */
  #addLasting(lot: Omit<Lot, 'expired'>): void {
    this.#add(lot)
    for (const debt of this.#allReversals().toSorted(byTime)) {
      const repaid = take(this.#lasting(), debt.owed)
      debt.owed -= repaid
      debt.others += repaid
    }
  }

  /** Adds monthly credits. Only the latest month keeps credits; a paid month expires all unpaid months. */
  #addMonthly(lot: Omit<Lot, 'expired' | 'kind'>): void {
    const isPaid = lot.purchase !== undefined
    const end = lot.periodEnd ?? 0
    const months = this.#lots.filter(({ kind }) => kind === 'monthly')
    const isLater = (other: Lot) => (other.periodEnd ?? 0) > end && (other.purchase !== undefined || !isPaid)
    if (lot.left === 0) return
    for (const old of months) {
      if ((old.periodEnd ?? 0) < end || (isPaid && old.purchase === undefined)) expire(old)
    }
    this.#add({ kind: 'monthly', ...lot })
    if (!months.some(isLater)) return
    for (const late of this.#lots) if (late.kind === 'monthly' && late.periodEnd === end) expire(late)
  }

  #addPaidMonth(lot: Omit<Lot, 'expired' | 'kind'>, now: number): void {
    this.#addMonthly(lot)
    if (lot.left > 0) this.#endPaidMonths(now)
  }

  /** Expires paid months that are over: without a subscription, no later month would expire them. */
  #endPaidMonths(now: number): void {
    if (this.subscription !== null) return
    for (const lot of this.#lots) {
      if (lot.kind === 'monthly' && lot.purchase !== undefined && (lot.periodEnd ?? 0) <= now) expire(lot)
    }
  }

  #allReversals(): Reversal[] {
    return [...this.#reversals.values()].flatMap((ofPurchase) => [...ofPurchase.values()])
  }
}

const NOTHING = { credits: 0, own: 0, lapsed: 0, others: 0, owed: 0 }

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const byTime = (one: Reversal, other: Reversal) => one.at - other.at || (one.id < other.id ? -1 : 1)
const priceOf = ({ planSlug }: HeardSubscription) => PLANS[planSlug].priceUsd ?? 0

function expire(lot: Lot): void {
  lot.expired += lot.left
  lot.left = 0
}

function take(lots: readonly Lot[], credits: number): number {
  let left = credits
  for (const lot of lots) {
    const taken = Math.min(left, lot.left)
    lot.left -= taken
    left -= taken
  }
  return credits - left
}

/** Returns the credits to take back for each reversal, in proportion to the amount refunded. */
function shares({ credits, cents }: Purchase, told: readonly HeardReversal[]): Map<string, number> {
  const inOrder = told
    .filter(({ isInForce }) => isInForce)
    .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
  const result = new Map<string, number>()
  let paidBack = 0
  for (const { id, amountUsdCents } of inOrder) {
    paidBack = Math.min(paidBack + amountUsdCents, cents)
    result.set(id, Math.floor((credits * paidBack) / cents) - sum([...result.values()]))
  }
  return result
}

function isInForce({ status, failedInvoiceAt, isEverPaid }: HeardSubscription, now: number): boolean {
  if (!isEverPaid) return false
  if (status === 'past_due') return now < (failedInvoiceAt ?? now) + GRACE_DAYS * DAY
  return status === 'active' || status === 'trialing'
}

/** Returns the first start of a month after `time`, counted from the anchor; tries one month after the other. */
function monthAfter(anchor: number, time: number): number {
  for (let months = 0; ; months += 1) {
    const at = monthAt(anchor, months)
    if (at > time) return at
  }
}

/** Returns the anchor's day in a later month, or the last day of a shorter month; tries days downwards. */
function monthAt(anchor: number, months: number): number {
  const from = new Date(anchor)
  const month = from.getUTCMonth() + months
  for (let day = from.getUTCDate(); ; day -= 1) {
    const date = new Date(Date.UTC(from.getUTCFullYear(), month, day))
    if (date.getUTCMonth() === month % 12) return date.getTime() + (anchor % DAY)
  }
}
