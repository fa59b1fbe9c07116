import type { ApiRequest } from '../../mcp/api.ts'
import { CANDLE_INTERVALS } from '../../model/markets.ts'
import { PREDICTION_STATUSES, PREDICTION_VENUES } from '../../model/prediction-markets.ts'
import { SIGNAL_DIRECTIONS, SIGNAL_KINDS } from '../../model/signals.ts'

// biome-ignore lint/suspicious/noExplicitAny: each widget knows the fields of its records
type ApiRecord = any
type Cell = string | number | boolean | null

interface Param {
  paramName: string
  label: string
  description: string
  type: 'text' | 'number' | 'date'
  value: string | number
  options?: { label: string; value: string }[]
}

interface Column {
  field: string
  headerName: string
  cellDataType: 'text' | 'number' | 'date'
  chartDataType?: 'category' | 'series' | 'excluded'
  renderFn?: 'greenRed'
}

export interface Widget {
  name: string
  description: string
  subCategory: string
  type: 'table' | 'newsfeed'
  /** Below /api/v1; a part such as :market is the parameter of this name. */
  path: string
  params: readonly Param[]
  columns: readonly Column[]
  /** Returns the fields of a record that the columns do not name as the API does. */
  fields?(record: ApiRecord): Record<string, Cell>
  /** Columns of its chart: the first one is the axis. */
  chart?: readonly string[]
}

const text = (field: string, headerName: string): Column => ({ field, headerName, cellDataType: 'text' })
const number = (field: string, headerName: string): Column => ({ field, headerName, cellDataType: 'number' })
const signed = (field: string, headerName: string): Column => ({ ...number(field, headerName), renderFn: 'greenRed' })

const asset = (value = ''): Param => ({
  paramName: 'assetKey',
  label: 'Asset',
  description: 'Key of an asset, such as AAPL; several are separated by commas',
  type: 'text',
  value,
})
const ticker: Param = { ...asset(), paramName: 'ticker', label: 'Ticker', description: 'Ticker of the company' }
const search: Param = {
  paramName: 'search',
  label: 'Words',
  description: 'Words that must occur',
  type: 'text',
  value: '',
}
const limit: Param = {
  paramName: 'limit',
  label: 'Rows',
  description: 'Number of rows, at most 100',
  type: 'number',
  value: 50,
}
const choice = (paramName: string, label: string, values: readonly string[], value = ''): Param => ({
  paramName,
  label,
  description: `${label}; empty for all`,
  type: 'text',
  value,
  options: [
    ...(value === '' ? [{ label: 'all', value: '' }] : []),
    ...values.map((each) => ({ label: each, value: each })),
  ],
})

/** The widgets by their ids, which are also their paths. */
export const WIDGETS: Record<string, Widget> = {
  news: {
    name: 'News',
    description: 'Financial news, newest first. 1 credit per refresh.',
    subCategory: 'News',
    type: 'newsfeed',
    path: '/entries',
    params: [search, asset(), limit],
    columns: [],
    fields: ({ title, publishedAt, author, urlDomain, excerpt, url }) => ({
      title,
      date: publishedAt,
      author: author ?? urlDomain,
      excerpt: excerpt ?? '',
      body: `${excerpt ?? ''}\n\n[${urlDomain}](${url})`,
    }),
  },
  news_table: {
    name: 'News table',
    description: 'Financial news with sentiment and assets, newest first. 1 credit per refresh.',
    subCategory: 'News',
    type: 'table',
    path: '/entries',
    params: [search, asset(), limit],
    columns: [
      text('publishedAt', 'Published'),
      text('title', 'Title'),
      signed('sentimentScore', 'Sentiment'),
      text('assetKeys', 'Assets'),
      text('topicSlugs', 'Topics'),
      text('urlDomain', 'Publisher'),
      text('url', 'Link'),
    ],
  },
  assets: {
    name: 'Assets in the news',
    description: 'Assets by the number of entries within 24 hours. 1 credit per refresh.',
    subCategory: 'Assets',
    type: 'table',
    path: '/assets?sortBy=entryCount24h:desc',
    params: [search, limit],
    columns: [
      text('key', 'Key'),
      text('name', 'Name'),
      text('type', 'Type'),
      text('sector', 'Sector'),
      number('entryCount24h', 'Entries 24 h'),
      signed('sentimentScore24h', 'Sentiment 24 h'),
      number('entryCount7d', 'Entries 7 d'),
      signed('sentimentScore7d', 'Sentiment 7 d'),
    ],
  },
  quotes: {
    name: 'Quotes',
    description: 'Last prices of all markets, largest change first. 1 credit per refresh.',
    subCategory: 'Markets',
    type: 'table',
    path: '/markets?sortBy=changePercent:desc',
    params: [search, asset(), limit],
    columns: [
      text('symbol', 'Market'),
      text('name', 'Name'),
      number('lastPrice', 'Price'),
      text('quoteCurrency', 'Currency'),
      signed('changePercent', 'Change %'),
      number('dayVolume', 'Volume'),
      text('lastPriceAt', 'At'),
    ],
  },
  candles: {
    name: 'Candles',
    description: 'Prices of a market over time. 2 credits per refresh.',
    subCategory: 'Markets',
    type: 'table',
    path: '/markets/:market/candles',
    params: [
      {
        paramName: 'market',
        label: 'Market',
        description: 'Symbol such as BTC-USD, or key of an asset',
        type: 'text',
        value: 'BTC-USD',
      },
      choice('interval', 'Interval', CANDLE_INTERVALS, '1d'),
      { ...limit, paramName: 'maxPoints', description: 'Number of candles, at most 5000', value: 200 },
    ],
    columns: [
      { ...text('openedAt', 'Opened'), chartDataType: 'category' },
      { ...number('open', 'Open'), chartDataType: 'series' },
      { ...number('high', 'High'), chartDataType: 'series' },
      { ...number('low', 'Low'), chartDataType: 'series' },
      { ...number('close', 'Close'), chartDataType: 'series' },
      { ...number('volume', 'Volume'), chartDataType: 'excluded' },
    ],
    chart: ['openedAt', 'close'],
  },
  signals: {
    name: 'Signals',
    description: 'Findings about assets, newest first. 2 credits per refresh.',
    subCategory: 'Signals',
    type: 'table',
    path: '/signals',
    params: [asset(), choice('kind', 'Kind', SIGNAL_KINDS), choice('direction', 'Direction', SIGNAL_DIRECTIONS), limit],
    columns: [
      text('generatedAt', 'Found'),
      text('assetKey', 'Asset'),
      text('kind', 'Kind'),
      text('direction', 'Direction'),
      number('strength', 'Strength'),
      number('confidence', 'Confidence'),
      text('status', 'Status'),
      text('summary', 'Summary'),
    ],
  },
  insider_trades: {
    name: 'Insider trades',
    description:
      'Trades of insiders filed at the SEC, most recently filed first. 2 credits per refresh; needs SEC data.',
    subCategory: 'SEC filings',
    type: 'table',
    path: '/sec/insider-trades',
    params: [ticker, search, limit],
    columns: [
      text('filedAt', 'Filed'),
      text('ticker', 'Ticker'),
      text('companyName', 'Company'),
      text('ownerName', 'Insider'),
      text('ownerRole', 'Role'),
      text('transactionDate', 'Traded'),
      text('transactionType', 'Type'),
      number('shares', 'Shares'),
      number('pricePerShare', 'Price'),
      number('value', 'Value USD'),
      text('filingUrl', 'Link'),
    ],
  },
  material_events: {
    name: 'Material events',
    description: 'Form 8-K by item, most recently filed first. 2 credits per refresh; needs SEC data.',
    subCategory: 'SEC filings',
    type: 'table',
    path: '/sec/material-events',
    params: [ticker, search, limit],
    columns: [
      text('filedAt', 'Filed'),
      text('ticker', 'Ticker'),
      text('companyName', 'Company'),
      text('items', 'Items'),
      text('filingUrl', 'Link'),
    ],
    fields: ({ items }) => ({
      items: items.map(({ code, title }: { code: string; title: string }) => `${code} ${title}`).join(', '),
    }),
  },
  prediction_markets: {
    name: 'Prediction markets',
    description: 'Odds of events, largest volume first. 1 credit per refresh.',
    subCategory: 'Prediction markets',
    type: 'table',
    path: '/prediction-markets',
    params: [
      search,
      asset(),
      choice('venue', 'Venue', PREDICTION_VENUES),
      choice('status', 'Status', PREDICTION_STATUSES, 'open'),
      limit,
    ],
    columns: [
      text('question', 'Question'),
      number('probability', 'Probability'),
      signed('priceChange24h', 'Change 24 h'),
      number('volume', 'Volume'),
      text('currency', 'Currency'),
      text('closeAt', 'Closes'),
      text('status', 'Status'),
      text('venue', 'Venue'),
      text('url', 'Link'),
    ],
  },
}

/** The answer of /openbb/widgets.json. */
export const widgetsJson = Object.fromEntries(
  Object.entries(WIDGETS).map(([id, { name, description, subCategory, type, params, columns, chart }]) => [
    id,
    {
      name,
      description,
      category: 'Mintick',
      subCategory,
      type,
      endpoint: id,
      source: ['Mintick'],
      gridData: { w: 20, h: 12 },
      params,
      ...(type === 'table' && {
        data: {
          table: {
            showAll: true,
            columnsDefs: columns,
            ...(chart && {
              enableCharts: true,
              chartView: { enabled: true, chartType: 'line', cellRangeCols: { line: chart } },
            }),
          },
        },
      }),
    },
  ]),
)

/** The answer of /openbb/apps.json: one page with most widgets. */
export const appsJson = [
  {
    name: 'Mintick',
    description: 'News, prices, signals, filings and odds of this Mintick service',
    img: '',
    img_dark: '',
    img_light: '',
    allowCustomization: true,
    tabs: {
      overview: {
        id: 'overview',
        name: 'Overview',
        layout: ['news', 'candles', 'signals', 'prediction_markets', 'insider_trades', 'quotes'].map((i, place) => ({
          i,
          x: (place % 2) * 20,
          y: Math.floor(place / 2) * 12,
          w: 20,
          h: 12,
          state: {
            params: Object.fromEntries(WIDGETS[i]?.params.map(({ paramName, value }) => [paramName, value]) ?? []),
          },
        })),
      },
    },
    groups: [],
  },
]

/** Returns the request to the API behind a widget. Workspace sends empty parameters, and some of its own. */
export function requestOf({ path, params }: Widget, query: URLSearchParams): ApiRequest {
  const given = new Map(params.map(({ paramName, value }) => [paramName, query.get(paramName) ?? String(value)]))
  const [template = '', fixed] = path.split('?')
  const filled = template.replaceAll(/:(\w+)/g, (_, name) => {
    const value = given.get(name) ?? ''
    given.delete(name)
    // These would lead to another path.
    return encodeURIComponent(/^\.{0,2}$/.test(value) ? '-' : value)
  })
  const values = [...given].filter(([, value]) => value.trim() !== '')
  return { path: filled, params: { ...Object.fromEntries(new URLSearchParams(fixed)), ...Object.fromEntries(values) } }
}

/** Returns the rows of a widget: Workspace shows flat objects only. */
export function rowsOf({ columns, fields }: Widget, records: readonly ApiRecord[]): Record<string, Cell>[] {
  return records.map((record) => ({
    ...Object.fromEntries(columns.map(({ field }) => [field, cellOf(record[field])])),
    ...fields?.(record),
  }))
}

const cellOf = (value: unknown): Cell => (Array.isArray(value) ? value.join(', ') : (value as Cell))
