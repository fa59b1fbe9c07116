import type Stripe from 'stripe'
import type { Desk, Page } from './desk.ts'
import { badParameter, refused } from './fault.ts'
import { decimal, newId } from './objects.ts'
import type { PageParams } from './params.ts'

const LOOKUP_KEYS_MAX = 10

export async function createPrice(
  desk: Desk,
  params: {
    currency: 'usd'
    unit_amount: number
    recurring: { interval: 'month' } | undefined
    lookup_key: string | undefined
    transfer_lookup_key: boolean | undefined
    product_data: { name: string }
    metadata: Stripe.Metadata | undefined
  },
): Promise<Stripe.Price> {
  if (params.unit_amount < 0) throw badParameter('unit_amount', 'Invalid non-negative integer')
  if (params.lookup_key !== undefined) {
    const [owner] = await desk.all('price', { labels: [params.lookup_key] })
    if (owner !== undefined && params.transfer_lookup_key !== true) {
      throw refused(`A price (\`${owner.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    }
    if (owner !== undefined) {
      owner.lookup_key = null
      desk.save(owner)
    }
  }
  const product = addProduct(desk, params.product_data.name)
  return desk.add<Stripe.Price>({
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: desk.now,
    currency: params.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: params.metadata ?? {},
    nickname: null,
    product: product.id,
    recurring:
      params.recurring === undefined
        ? null
        : {
            interval: params.recurring.interval,
            interval_count: 1,
            meter: null,
            trial_period_days: null,
            usage_type: 'licensed',
          },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: params.recurring === undefined ? 'one_time' : 'recurring',
    unit_amount: params.unit_amount,
    unit_amount_decimal: decimal(params.unit_amount),
  })
}

export async function listPrices(
  desk: Desk,
  params: PageParams & { lookup_keys: string[] | undefined; active: boolean | undefined },
): Promise<Page<Stripe.Price>> {
  if (params.lookup_keys !== undefined && params.lookup_keys.length > LOOKUP_KEYS_MAX) {
    throw badParameter('lookup_keys', `You can specify up to ${LOOKUP_KEYS_MAX} lookup keys.`)
  }
  // Prices are never taken out of use here, so there are no inactive ones.
  if (params.active === false || params.lookup_keys?.length === 0) return { data: [], hasMore: false }
  return desk.list('price', { labels: params.lookup_keys }, params)
}

export const amountOf = (price: Stripe.Price): number => price.unit_amount ?? 0

export async function nameOf(desk: Desk, price: Stripe.Price): Promise<string> {
  const product = typeof price.product === 'string' ? await desk.find('product', price.product) : undefined
  return product?.name ?? 'Product'
}

function addProduct(desk: Desk, name: string): Stripe.Product {
  return desk.add<Stripe.Product>({
    id: newId('prod'),
    object: 'product',
    active: true,
    created: desk.now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: desk.now,
    url: null,
  })
}
