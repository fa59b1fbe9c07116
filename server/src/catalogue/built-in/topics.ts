import { stableId } from '../../model/ids.ts'
import type { NewTopic } from '../../model/topics.ts'
import { sectors } from './assets.ts'

/** Slugs derive from names, so every name is unique in the tree. */
const tree: Record<string, Record<string, readonly string[]>> = {
  Markets: {
    Equities: ['Earnings', 'Guidance', 'Analyst ratings', 'Dividends', 'Share buybacks', 'IPOs', 'Short selling'],
    Deals: ['Mergers and acquisitions', 'Partnerships', 'Divestitures'],
    Indices: ['US indices', 'European indices', 'Asian indices', 'Volatility'],
    Funds: ['ETF flows', 'Fund launches'],
    Bonds: ['Government bonds', 'Corporate credit'],
    Currencies: ['Dollar', 'Euro', 'Yen', 'Emerging currencies'],
  },
  Companies: {
    Leadership: ['Executive changes', 'Shareholder activism'],
    Products: ['Product launches', 'Recalls', 'Drug trials'],
    Workforce: ['Layoffs', 'Strikes'],
    Legal: ['Lawsuits', 'Antitrust', 'Regulatory probes', 'Patents'],
    Operations: ['Supply chains', 'Factories', 'Data breaches'],
  },
  Macro: {
    'Central banks': [
      'Federal Reserve',
      'European Central Bank',
      'Bank of England',
      'Bank of Japan',
      "People's Bank of China",
    ],
    Inflation: ['Consumer prices', 'Producer prices'],
    Growth: ['GDP', 'Manufacturing', 'Retail sales', 'Housing'],
    Labor: ['Jobs reports', 'Wages'],
    Trade: ['Tariffs', 'Export controls', 'Shipping lanes'],
  },
  Policy: {
    Fiscal: ['Budgets', 'Taxes'],
    Regulation: ['Securities rules', 'Banking rules', 'AI rules', 'Climate rules'],
    Geopolitics: ['Sanctions', 'Elections'],
  },
  Crypto: {
    Coins: ['Bitcoin', 'Ether', 'Altcoins', 'Stablecoins'],
    'Crypto flows': ['Crypto ETFs', 'Mining and staking'],
    'Crypto policy': ['Crypto regulation', 'Crypto exchanges'],
    'Crypto security': ['Exploits', 'Network outages'],
  },
  Commodities: {
    'Energy commodities': ['Crude oil', 'Natural gas'],
    Metals: ['Gold', 'Silver', 'Platinum group', 'Industrial metals'],
    Agriculture: ['Grains', 'Soft commodities'],
  },
  Sectors: sectors,
}

export const builtInTopics: NewTopic[] = Object.entries(tree).flatMap(([rootName, branches]) => {
  const root = topic(rootName, null)
  return [root, ...Object.entries(branches).flatMap(([name, leaves]) => branch(name, leaves, root))]
})

export function topicSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-')
}

function branch(name: string, leaves: readonly string[], root: NewTopic): NewTopic[] {
  const parent = topic(name, root)
  return [parent, ...leaves.map((leaf) => topic(leaf, parent))]
}

function topic(name: string, parent: NewTopic | null): NewTopic {
  const slug = topicSlug(name)
  return {
    id: stableId('topic', slug),
    slug,
    name,
    description: parent === null ? `Everything about ${name.toLowerCase()}.` : `${name}, a part of ${parent.name}.`,
    parentId: parent === null ? null : parent.id,
  }
}

const topicById = new Map(builtInTopics.map((one) => [one.id, one]))

/** Slugs of each topic's ancestors. */
const ancestors: ReadonlyMap<string, readonly string[]> = new Map(
  builtInTopics.map((one) => [one.slug, ancestorsOf(one)]),
)

/** Removes topics that are ancestors of another one in the list: the tree implies them. */
export function withoutAncestors(slugs: readonly string[]): string[] {
  return slugs.filter((slug) => !slugs.some((other) => ancestors.get(other)?.includes(slug)))
}

function ancestorsOf({ parentId }: NewTopic): string[] {
  const parent = topicById.get(parentId ?? '')
  return parent === undefined ? [] : [parent.slug, ...ancestorsOf(parent)]
}
