import { createHash } from 'node:crypto'
import Type from 'typebox'
import { MARKET_TYPES } from '../../model/markets.ts'
import { DAY, HOUR, SECOND } from '../../model/time.ts'
import type { Connector } from '../connector.ts'

const Options = Type.Object(
  {
    url: Type.String({ pattern: '^https?://', maxLength: 2_048, description: 'Address of the file' }),
    symbol: Type.String({ minLength: 1, maxLength: 50, description: 'Symbol of the market' }),
    asset: Type.Optional(Type.String({ maxLength: 50, description: 'Key of its asset; the symbol by default' })),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the market' })),
    type: Type.Optional(Type.Enum(MARKET_TYPES, { description: 'Type of the market' })),
    venue: Type.Optional(Type.String({ maxLength: 100, description: 'Exchange on which it is traded' })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3,5}$', description: 'Currency of the prices' })),
    timezone: Type.Optional(Type.String({ maxLength: 50, description: 'Time zone, such as America/New_York' })),
  },
  { additionalProperties: false },
)

interface State {
  /** Of the last file. */
  digest: string
}

/** Daily prices in CSV, with the columns of Stooq or Tiingo. */
export const dailyCsvConnector: Connector<typeof Options, State> = {
  kind: 'daily-csv',
  brings: 'candles',
  options: Options,
  keyOf: ({ url }) => new URL(url).href,
  politeness: { atOnce: 1, gapMs: SECOND },
  every: { first: 6 * HOUR, least: HOUR, most: DAY },

  async *poll({ options, state, fetch, parse }) {
    const { body } = await fetch({ url: options.url })
    const digest = createHash('sha256').update(body).digest('base64')
    if (digest === state.digest) return { isChanged: false }
    const { candles, rejected } = await parse('daily-csv', body)
    const symbol = options.symbol.toUpperCase()
    const market = {
      symbol,
      name: options.name ?? symbol,
      assetKey: (options.asset ?? symbol).toUpperCase(),
      assetName: options.name ?? symbol,
      type: options.type ?? 'stock',
      venue: options.venue ?? new URL(options.url).hostname,
      baseCurrency: null,
      quoteCurrency: options.currency ?? 'USD',
      timezone: options.timezone ?? 'UTC',
      status: 'active' as const,
      volumeDecimals: 0,
      quoteVolumeDecimals: 0,
    }
    const reasons = rejected.map(({ reason }) => reason)
    yield { items: { kind: 'candles', market, interval: '1d', candles, reasons }, state: { digest } }
    return { isChanged: true }
  },
}
