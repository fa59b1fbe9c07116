import { PLANS, type PlanSlug } from '../src/plans/plans.ts'

interface Transfer {
  kind: string
  credits: number
  balanceAfter: number
  at: number
}

/** A minimal ledger of one account, to compare with the real ledger. */
export class ReferenceLedger {
  readonly transfers: Transfer[] = []
  readonly lots = { monthly: 0, signup: 0, adjustment: 0 }
  readonly #openedAt: number
  #plan: PlanSlug
  #agreed: number | undefined
  #isActive = true
  #months = 1

  constructor(openedAt: number, plan: PlanSlug, credits: number | undefined) {
    this.#openedAt = openedAt
    this.#plan = plan
    const { signupCredits, monthlyCredits } = PLANS[plan]
    if (credits !== undefined) this.#add('adjustment', 'grant', credits, openedAt)
    else {
      if (signupCredits) this.#add('signup', 'grant', signupCredits, openedAt)
      if (monthlyCredits) this.#add('monthly', 'grant', monthlyCredits, openedAt)
    }
  }

  get balance(): number {
    return this.lots.monthly + this.lots.signup + this.lots.adjustment
  }

  beginMonths(now: number): void {
    for (let at = this.#monthAt(); at <= now; at = this.#monthAt()) {
      this.#months += 1
      const credits = this.#isActive ? (this.#agreed ?? PLANS[this.#plan].monthlyCredits ?? 0) : 0
      if (credits === 0) continue
      const expired = this.lots.monthly
      this.lots.monthly = 0
      if (expired > 0) this.#write('expiry', -expired, at)
      this.#add('monthly', 'grant', credits, at)
    }
  }

  change(now: number, change: { plan?: PlanSlug; agreed?: number | undefined; isActive?: boolean }): void {
    this.beginMonths(now)
    if ('plan' in change && change.plan !== undefined) this.#plan = change.plan
    if ('agreed' in change) this.#agreed = change.agreed
    if (change.isActive !== undefined) this.#isActive = change.isActive
  }

  /** Spends all of the credits or none. */
  spend(credits: number, at: number): void {
    if (credits > this.balance) return
    let left = credits
    for (const lot of ['monthly', 'signup', 'adjustment'] as const) {
      const taken = Math.min(left, this.lots[lot])
      this.lots[lot] -= taken
      left -= taken
    }
    this.#write('usage', -credits, at)
  }

  adjust(credits: number, at: number): void {
    this.#add('adjustment', 'adjustment', credits, at)
  }

  #add(lot: 'monthly' | 'signup' | 'adjustment', kind: string, credits: number, at: number): void {
    this.lots[lot] += credits
    this.#write(kind, credits, at)
  }

  #write(kind: string, credits: number, at: number): void {
    this.transfers.push({ kind, credits, balanceAfter: this.balance, at })
  }

  /** Returns the start of the next month: tries days downwards from the day of the opening. */
  #monthAt(): number {
    const opened = new Date(this.#openedAt)
    const timeOfDay = this.#openedAt % 86_400_000
    const month = opened.getUTCMonth() + this.#months
    for (let day = opened.getUTCDate(); ; day -= 1) {
      const date = new Date(Date.UTC(opened.getUTCFullYear(), month, day))
      if (date.getUTCMonth() === month % 12) return date.getTime() + timeOfDay
    }
  }
}
