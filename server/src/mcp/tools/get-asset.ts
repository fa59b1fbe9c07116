import Type from 'typebox'
import type { Asset } from '../../model/assets.ts'
import { itemId } from '../item-id.ts'
import { renderItem } from '../item-text.ts'
import { defineTool, namedPart, renderList } from '../tool.ts'

/** Candidates if no asset has the given key. */
const CANDIDATES = 10

export const getAsset = defineTool({
  name: 'get_asset',
  title: 'Get an asset',
  description:
    'A company, index, crypto asset, currency pair or commodity by its key (AAPL, BTC, EURUSD, BP.L) or by a part of its name: identifiers, sector, number and sentiment of news over 24 hours and 7 days. Use it first to find the key that the other tools take as asset. 1 credit, also if nothing matches.',
  input: Type.Object(
    { asset: Type.String({ minLength: 1, maxLength: 200, description: 'Key such as AAPL, id, or words of the name' }) },
    { additionalProperties: false },
  ),
  example: { asset: 'AAPL' },
  request: ({ asset }) => ({ path: `/assets/${namedPart('asset', asset)}` }),
  render: ({ data, notes }) =>
    renderItem('asset', data, [
      `Next: search_news, get_signals or search_filings with asset=${data.key}, get_candles with market=${data.key}.`,
      ...notes,
    ]),
  orElse: {
    request: ({ asset }) => ({ path: '/assets', params: { search: asset, limit: CANDIDATES } }),
    render: (answer, { asset }) =>
      renderList<Asset>(answer, {
        noun: 'assets',
        about: `for "${asset}"`,
        columns: [
          { name: 'id', value: ({ key }) => itemId('asset', key) },
          { name: 'key', value: ({ key }) => key },
          { name: 'name', value: ({ name }) => name },
          { name: 'type', value: ({ type }) => type },
          { name: 'exchange', value: ({ exchange }) => exchange },
          { name: 'news24h', value: ({ entryCount24h }) => entryCount24h },
        ],
        next: 'None has exactly this key: get_asset with one of the keys returns the asset.',
        ifEmpty: 'Try another spelling, or fewer words.',
      }),
  },
})
