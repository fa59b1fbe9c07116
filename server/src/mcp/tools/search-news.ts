import Type from 'typebox'
import type { Entry } from '../../model/entries.ts'
import { itemId } from '../item-id.ts'
import { LINK_LENGTH, link, minute } from '../text.ts'
import { asset, cursor, defineTool, from, number, renderList, rows, rowsOf, text, to } from '../tool.ts'

export const searchNews = defineTool({
  name: 'search_news',
  title: 'Search news',
  description:
    'Financial news from many publishers, newest first: time, sentiment (-1 bad to 1 good for holders), assets, headline, link. Without arguments: the latest news. 1 credit, 2 with query. get_item returns one with its excerpt and the cluster of reports about the same event.',
  input: Type.Object(
    {
      search: text('Words that must occur; supports "exact phrases", -exclusions and or'),
      query: text('A question or description in your own words: finds by meaning, most relevant first; 2 credits'),
      asset: asset('Only news about this asset'),
      topic: text('Only news about this topic, by its slug such as central-banks or earnings'),
      language: text('Only news in this language, such as en'),
      sentimentMin: number(-1, 1, 'Least sentiment'),
      sentimentMax: number(-1, 1, 'Greatest sentiment'),
      from: from('Published'),
      to: to('Published'),
      limit: rows(),
      cursor: cursor(),
    },
    { additionalProperties: false },
  ),
  example: { asset: 'TSLA', search: 'recall' },
  request: (args) => ({
    path: '/entries',
    params: {
      search: args.search,
      query: args.query,
      assetKey: args.asset,
      topicSlug: args.topic,
      language: args.language,
      sentimentScoreMin: args.sentimentMin,
      sentimentScoreMax: args.sentimentMax,
      publishedAfter: args.from,
      publishedBefore: args.to,
      limit: rowsOf(args),
      after: args.cursor,
    },
  }),
  render: (answer) =>
    renderList<Entry>(answer, {
      noun: 'entries',
      columns: [
        { name: 'id', value: ({ id }) => itemId('entry', id) },
        { name: 'published', value: ({ publishedAt }) => minute(publishedAt) },
        { name: 'sentiment', value: ({ sentimentScore }) => sentimentScore },
        { name: 'assets', value: ({ assetKeys }) => assetKeys, maxLength: 60 },
        { name: 'title', value: ({ title }) => title },
        { name: 'link', value: ({ url }) => link(url), maxLength: LINK_LENGTH },
      ],
      next: 'get_item with an id returns the excerpt and the cluster.',
      ifEmpty: 'Try fewer or other words, query instead of search, or check the asset with get_asset.',
    }),
})
