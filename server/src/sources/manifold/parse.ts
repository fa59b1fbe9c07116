import { Refused } from '../../model/refused.ts'
import { isoTimeOrNull } from '../../model/time.ts'
import { readJson, readRows, unexpected } from '../answer.ts'
import {
  amountField,
  type Fields,
  isFields,
  listField,
  numberField,
  required,
  shareField,
  textField,
  timeField,
  urlField,
} from '../fields.ts'
import {
  checkCount,
  NO_QUOTE,
  type OddsPoint,
  type Outcome,
  oppositeQuote,
  roundShare,
  type VenueAnswer,
  type VenueMarket,
  venueSlug,
} from '../venue-market.ts'

/** Types of questions. Others, such as polls and bounties, have no odds. */
const TYPES: Readonly<Record<string, VenueMarket['type']>> = {
  BINARY: 'binary',
  PSEUDO_NUMERIC: 'scalar',
  MULTIPLE_CHOICE: 'categorical',
  FREE_RESPONSE: 'categorical',
  MULTI_NUMERIC: 'categorical',
  NUMBER: 'categorical',
  DATE: 'categorical',
}

/**
 * Parses markets, lists of markets (which lack the answers of multiple choice), and bets, whose probabilities are the
 * history of a market. Ids of outcomes are yes and no, higher and lower, or ids of answers.
 */
export function parseManifold(bytes: Uint8Array, now: number): VenueAnswer {
  const document = readJson(bytes)
  const records = Array.isArray(document) ? document : [document]
  if (!Array.isArray(document) && !(isFields(document) && 'question' in document)) {
    throw unexpected(document, 'markets or bets')
  }
  const isBets = records.some((record) => isFields(record) && 'probAfter' in record)
  const points = readRows(isBets ? records : [], toPoint)
  const markets = readRows(isBets ? [] : records, (record) => toMarket(record, now))
  return {
    markets: markets.records,
    history: points.records.sort((a, b) => a.at - b.at),
    // The next page of both lists starts before the id of the last item.
    cursor: Array.isArray(document) ? textField(document.filter(isFields).at(-1)?.id) : null,
    rejected: [...points.rejected, ...markets.rejected],
  }
}

function toPoint(row: unknown): OddsPoint {
  const { contractId, answerId, createdTime, probAfter } = isFields(row) ? row : {}
  return {
    venueMarketId: textField(contractId),
    outcomeId: textField(answerId) ?? 'yes',
    at: required('createdTime', timeField(createdTime), createdTime),
    probability: required('probAfter', shareField(probAfter), probAfter),
  }
}

function toMarket(given: unknown, now: number): VenueMarket {
  const market = isFields(given) ? given : {}
  const id = required('id', textField(market.id), market.id)
  const type = typeOf(market)
  const url = urlField(market.url)
  // The last part of the address is the slug; older answers have no field for it.
  const slug = textField(market.slug) ?? url?.split('/').at(-1) ?? id
  const closeAt = timeField(market.closeTime)
  const status = statusOf(market, closeAt, now)
  const outcomes = outcomesOf(market, type, status === 'resolved')
  const isRealMoney = market.token === 'CASH'
  return {
    slug: venueSlug('manifold', slug),
    venue: 'manifold',
    venueMarketId: id,
    eventTitle: null,
    url: url ?? `https://manifold.markets/market/${encodeURIComponent(slug)}`,
    imageUrl: urlField(market.coverImageUrl),
    question: required('question', textField(market.question), market.question),
    description:
      textField(market.textDescription) ?? (isFields(market.description) ? null : textField(market.description)),
    category: textField(listField(market.groupSlugs)[0]),
    type,
    status,
    isRealMoney,
    currency: isRealMoney ? 'USD' : 'MANA',
    probability: outcomes[0]?.probability ?? null,
    outcomes,
    volume: amountField(market.volume) ?? 0,
    volume24h: amountField(market.volume24Hours),
    liquidity: amountField(market.totalLiquidity),
    openInterest: null,
    priceChange24h: null,
    priceChange7d: null,
    openAt: isoTimeOrNull(timeField(market.createdTime)),
    closeAt: isoTimeOrNull(closeAt),
    resolvedAt: status === 'resolved' ? isoTimeOrNull(timeField(market.resolutionTime)) : null,
    resolution: status === 'resolved' ? resolutionOf(market, type, outcomes) : null,
    rules: null,
    resolutionSource: null,
  }
}

function typeOf({ outcomeType }: Fields): VenueMarket['type'] {
  const name = required('outcomeType', textField(outcomeType), outcomeType)
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (type === undefined) throw new Refused(`questions of the type ${name.slice(0, 40)} have no odds`)
  return type
}

function statusOf(market: Fields, closeAt: number | null, now: number): VenueMarket['status'] {
  if (market.isResolved === true) return market.resolution === 'CANCEL' ? 'cancelled' : 'resolved'
  return closeAt !== null && closeAt <= now ? 'closed' : 'open'
}

function outcomesOf(market: Fields, type: VenueMarket['type'], isResolved: boolean): VenueMarket['outcomes'] {
  if (type === 'categorical') {
    return checkCount(listField(market.answers))
      .filter(isFields)
      .map((answer, index) => answerOutcome(answer, index, market, isResolved))
  }
  const quote = { ...NO_QUOTE, probability: shareField(market.probability) }
  const [first, second] = type === 'binary' ? ['Yes', 'No'] : ['Higher', 'Lower']
  const outcome = (label: string, of: typeof quote): Outcome => ({
    id: label.toLowerCase(),
    label,
    ...of,
    isWinner: isResolved ? textField(market.resolution) === label.toUpperCase() : null,
  })
  return [outcome(first, quote), outcome(second, oppositeQuote(quote))]
}

/** A winner is named by the market, has a part of its payout, or resolved to yes on its own. */
function answerOutcome(answer: Fields, index: number, market: Fields, isResolved: boolean): Outcome {
  const id = textField(answer.id) ?? String(index)
  const parts = isFields(market.resolutions) ? market.resolutions : {}
  const isWinner = market.resolution === id || (numberField(parts[id]) ?? 0) > 0 || answer.resolution === 'YES'
  return {
    id,
    label: textField(answer.text) ?? id,
    ...NO_QUOTE,
    probability: shareField(answer.probability),
    isWinner: isResolved ? isWinner : null,
  }
}

function resolutionOf(market: Fields, type: VenueMarket['type'], outcomes: readonly Outcome[]): string | null {
  const winners = outcomes.filter(({ isWinner }) => isWinner).map(({ label }) => label)
  if (winners.length > 0) return winners.join(', ')
  const probability = shareField(market.resolutionProbability)
  if (probability === null) return textField(market.resolution)
  return type === 'scalar' ? textField(numericValue(market, probability)) : `${roundShare(probability * 100)}%`
}

/** Returns the value of a numeric question at a probability, by the formula of Manifold's documentation. */
function numericValue({ min, max, isLogScale }: Fields, probability: number): number | null {
  const [least, most] = [numberField(min), numberField(max)]
  if (least === null || most === null) return null
  const value =
    isLogScale === true ? (most - least + 1) ** probability + least - 1 : least + (most - least) * probability
  return numberField(roundShare(value))
}
