import type Stripe from 'stripe'
import { invalidParameter, invalidRequest } from './errors.ts'
import { newId, toDecimal } from './objects.ts'
import { PAGE_PARAMS, type ParamsOf, param, required } from './params.ts'
import type { ObjectPage, SandboxTransaction } from './transaction.ts'

const LOOKUP_KEYS_MAX = 10

export const CREATE_PRICE = {
  currency: required(param.enum('usd')),
  unit_amount: required(param.integer),
  recurring: param.object({ interval: required(param.enum('month')) }),
  lookup_key: param.string,
  transfer_lookup_key: param.boolean,
  product_data: required(param.object({ name: required(param.string) })),
  metadata: param.metadata,
}

export const LIST_PRICES = { ...PAGE_PARAMS, lookup_keys: param.array(param.string), active: param.boolean }

export async function createPrice(
  tx: SandboxTransaction,
  params: ParamsOf<typeof CREATE_PRICE>,
): Promise<Stripe.Price> {
  if (params.unit_amount < 0) throw invalidParameter('unit_amount', 'Invalid non-negative integer')
  if (params.lookup_key !== undefined) {
    const [owner] = await tx.listAll('price', { labels: [params.lookup_key] })
    if (owner !== undefined && params.transfer_lookup_key !== true) {
      throw invalidRequest(`A price (\`${owner.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    }
    if (owner !== undefined) owner.lookup_key = null
  }
  const product = addProduct(tx, params.product_data.name)
  return tx.add<Stripe.Price>({
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: tx.now,
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
    unit_amount_decimal: toDecimal(params.unit_amount),
  })
}

export async function listPrices(
  tx: SandboxTransaction,
  params: ParamsOf<typeof LIST_PRICES>,
): Promise<ObjectPage<Stripe.Price>> {
  if (params.lookup_keys !== undefined && params.lookup_keys.length > LOOKUP_KEYS_MAX) {
    throw invalidParameter('lookup_keys', `You can specify up to ${LOOKUP_KEYS_MAX} lookup keys.`)
  }
  // The sandbox cannot deactivate prices, so there are no inactive ones.
  if (params.active === false || params.lookup_keys?.length === 0) return { data: [], hasMore: false }
  return tx.list('price', { labels: params.lookup_keys }, params)
}

export const priceAmount = (price: Stripe.Price): number => price.unit_amount ?? 0

export async function productName(tx: SandboxTransaction, price: Stripe.Price): Promise<string> {
  const product = typeof price.product === 'string' ? await tx.find('product', price.product) : undefined
  return product?.name ?? 'Product'
}

function addProduct(tx: SandboxTransaction, name: string): Stripe.Product {
  return tx.add<Stripe.Product>({
    id: newId('prod'),
    object: 'product',
    active: true,
    created: tx.now,
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
    updated: tx.now,
    url: null,
  })
}
