import type { Stripe } from 'stripe'
import { creditsText } from '../../model/credits-text.ts'
import { isPlanSlug, PLANS, type PlanSlug } from '../../plans/plans.ts'
import type { Product } from '../processor.ts'

/** A price at Stripe, one per product and amount; its metadata names the pack or plan. */
interface PriceTag {
  lookupKey: string
  name: string
  amountUsdCents: number
  isMonthly: boolean
  metadata: Record<string, string>
}

export class StripePrices {
  readonly #sdk: () => Promise<Stripe>
  readonly #ids = new Map<string, Promise<string>>()
  readonly #plans = new Map<string, PlanSlug | undefined>()

  constructor(sdk: () => Promise<Stripe>) {
    this.#sdk = sdk
  }

  /** Returns the price id, creating the price if needed. */
  idFor(product: Product): Promise<string> {
    const tag = priceTag(product)
    const known = this.#ids.get(tag.lookupKey)
    if (known !== undefined) return known
    const id = this.#find(tag).then((found) => found ?? this.#create(tag))
    this.#ids.set(tag.lookupKey, id)
    id.catch(() => this.#ids.delete(tag.lookupKey))
    return id
  }

  idForPlan(planSlug: PlanSlug): Promise<string> {
    return this.idFor({ planSlug })
  }

  /** Returns the plan of a price; undefined if it has none. */
  async planOf(priceId: string): Promise<PlanSlug | undefined> {
    if (!this.#plans.has(priceId)) {
      const sdk = await this.#sdk()
      const { metadata } = await sdk.prices.retrieve(priceId)
      const slug = metadata.mintick_plan
      this.#plans.set(priceId, slug !== undefined && isPlanSlug(slug) ? slug : undefined)
    }
    return this.#plans.get(priceId)
  }

  async #find(tag: PriceTag): Promise<string | undefined> {
    const sdk = await this.#sdk()
    const { data } = await sdk.prices.list({ lookup_keys: [tag.lookupKey], active: true, limit: 1 })
    return data[0]?.id
  }

  /**
   * Creates the price, taking the lookup key over from an archived one. The idempotency key makes concurrent instances
   * share it: with two prices, repeating a checkout request would have other parameters and be refused.
   */
  async #create(tag: PriceTag): Promise<string> {
    const sdk = await this.#sdk()
    const price = await sdk.prices.create(
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

function priceTag(product: Product): PriceTag {
  if ('pack' in product) {
    const { id, credits, priceUsdCents } = product.pack
    return {
      lookupKey: `mintick_${id}_${priceUsdCents}`,
      name: creditsText(credits),
      amountUsdCents: priceUsdCents,
      isMonthly: false,
      metadata: { mintick_package: id },
    }
  }
  const { slug, name, priceUsd } = PLANS[product.planSlug]
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
