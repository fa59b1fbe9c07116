import type { Stripe } from 'stripe'
import { isPlanSlug, PLANS, type PlanSlug } from '../../plans/plans.ts'
import type { Sold } from '../processor.ts'

/** A price is kept at the processor once per thing and amount; its metadata says what it is for. */
interface PriceTag {
  lookupKey: string
  name: string
  amountUsdCents: number
  isMonthly: boolean
  metadata: Record<string, string>
}

export class StripePrices {
  readonly #sdk: Stripe
  readonly #ids = new Map<string, Promise<string>>()
  readonly #plans = new Map<string, PlanSlug | undefined>()

  constructor(sdk: Stripe) {
    this.#sdk = sdk
  }

  /** The id of the price of what is ordered, which is made if there is none yet. */
  of(sold: Sold): Promise<string> {
    const tag = priceTag(sold)
    const known = this.#ids.get(tag.lookupKey)
    if (known !== undefined) return known
    const id = this.#find(tag).then((found) => found ?? this.#create(tag))
    this.#ids.set(tag.lookupKey, id)
    id.catch(() => this.#ids.delete(tag.lookupKey))
    return id
  }

  ofPlan(planSlug: PlanSlug): Promise<string> {
    return this.of({ planSlug })
  }

  /** The plan that a price is for; undefined when it is for something else. */
  async planOf(priceId: string): Promise<PlanSlug | undefined> {
    if (!this.#plans.has(priceId)) {
      const { metadata } = await this.#sdk.prices.retrieve(priceId)
      const slug = metadata.mintick_plan
      this.#plans.set(priceId, slug !== undefined && isPlanSlug(slug) ? slug : undefined)
    }
    return this.#plans.get(priceId)
  }

  async #find(tag: PriceTag): Promise<string | undefined> {
    const { data } = await this.#sdk.prices.list({ lookup_keys: [tag.lookupKey], active: true, limit: 1 })
    return data[0]?.id
  }

  /**
   * The key is taken from a price that was archived, should there be one. Instances that come to it at the same moment
   * get the same price: with two of them, the same order would not be the same question.
   */
  async #create(tag: PriceTag): Promise<string> {
    const price = await this.#sdk.prices.create(
      {
        currency: 'usd',
        unit_amount: tag.amountUsdCents,
        ...(tag.isMonthly && { recurring: { interval: 'month' as const } }),
        lookup_key: tag.lookupKey,
        transfer_lookup_key: true,
        product_data: { name: tag.name },
        metadata: tag.metadata,
      },
      { idempotencyKey: `price:${tag.lookupKey}` },
    )
    return price.id
  }
}

function priceTag(sold: Sold): PriceTag {
  if ('pack' in sold) {
    const { id, credits, priceUsdCents } = sold.pack
    return {
      lookupKey: `mintick_${id}_${priceUsdCents}`,
      name: `${credits.toLocaleString('en-US')} credits`,
      amountUsdCents: priceUsdCents,
      isMonthly: false,
      metadata: { mintick_package: id },
    }
  }
  const { slug, name, priceUsd } = PLANS[sold.planSlug]
  if (priceUsd === null) throw new Error(`the ${name} plan has no price`)
  const amountUsdCents = Math.round(priceUsd * 100)
  return {
    lookupKey: `mintick_plan_${slug}_${amountUsdCents}`,
    name: `${name} plan`,
    amountUsdCents,
    isMonthly: true,
    metadata: { mintick_plan: slug },
  }
}
