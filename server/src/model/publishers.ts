export const PUBLISHER_TYPES = [
  'newswire',
  'newspaper',
  'magazine',
  'broadcaster',
  'blog',
  'press_release',
  'regulator',
  'aggregator',
] as const

/** Who published an entry. `slug` is unique. */
export interface Publisher {
  id: string
  slug: string
  name: string
  domain: string
  homepageUrl: string | null
  description: string | null
  countryCode: string | null
  language: string | null
  type: (typeof PUBLISHER_TYPES)[number]
  isPaywalled: boolean | null
  isActive: boolean
}
