export interface CreditPack {
  id: string
  credits: number
  priceUsdCents: number
  discountPercent: number
}

/** Spec 2.4. The credits of a pack never expire and do not depend on the plan. */
export const PACKS: readonly CreditPack[] = [
  { id: 'credits_1000', credits: 1_000, priceUsdCents: 1_000, discountPercent: 0 },
  { id: 'credits_5000', credits: 5_000, priceUsdCents: 4_500, discountPercent: 10 },
  { id: 'credits_10000', credits: 10_000, priceUsdCents: 8_000, discountPercent: 20 },
  { id: 'credits_50000', credits: 50_000, priceUsdCents: 35_000, discountPercent: 30 },
]
