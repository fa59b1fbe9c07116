import Type from 'typebox'
import { SIGNAL_DIRECTIONS, SIGNAL_KINDS, SIGNAL_STATUSES, type Signal } from '../../model/signals.ts'
import { itemId } from '../item-id.ts'
import { minute } from '../text.ts'
import { asset, choice, cursor, defineTool, from, number, renderList, rows, rowsOf, to } from '../tool.ts'

export const getSignals = defineTool({
  name: 'get_signals',
  title: 'Get signals',
  description:
    'Findings about assets, newest first: unusual news volume, a change of tone, breaking events, insider buying and selling, activist stakes, moves of odds; each with direction, strength and confidence (0 to 1), and its outcome once the horizon has passed. 2 credits. get_item returns one with its evidence.',
  input: Type.Object(
    {
      asset: asset('Only signals about this asset'),
      kind: choice(SIGNAL_KINDS, 'Only signals of this kind'),
      direction: choice(SIGNAL_DIRECTIONS, 'Expected effect on the price'),
      status: choice(SIGNAL_STATUSES, 'active: still within its horizon'),
      strengthMin: number(0, 1, 'Least strength'),
      from: from('Found'),
      to: to('Found'),
      limit: rows(),
      cursor: cursor(),
    },
    { additionalProperties: false },
  ),
  example: { status: 'active', strengthMin: 0.5 },
  request: (args) => ({
    path: '/signals',
    params: {
      assetKey: args.asset,
      kind: args.kind,
      direction: args.direction,
      status: args.status,
      strengthMin: args.strengthMin,
      generatedAfter: args.from,
      generatedBefore: args.to,
      limit: rowsOf(args),
      after: args.cursor,
    },
  }),
  render: (answer) =>
    renderList<Signal>(answer, {
      noun: 'signals',
      columns: [
        { name: 'id', value: ({ id }) => itemId('signal', id) },
        { name: 'found', value: ({ generatedAt }) => minute(generatedAt) },
        { name: 'asset', value: ({ assetKey }) => assetKey },
        { name: 'kind', value: ({ kind }) => kind },
        { name: 'direction', value: ({ direction }) => direction },
        { name: 'strength', value: ({ strength }) => strength },
        { name: 'confidence', value: ({ confidence }) => confidence },
        { name: 'status', value: ({ status }) => status },
        { name: 'expires', value: ({ expiresAt }) => minute(expiresAt) },
        {
          name: 'outcome',
          value: ({ outcome }) => outcome && `${outcome.isHit ? 'hit' : 'miss'} ${outcome.returnPercent}%`,
        },
        { name: 'summary', value: ({ summary }) => summary, maxLength: 200 },
      ],
      next: 'get_item with an id returns the evidence: entries, filings, clusters or prediction markets.',
      ifEmpty: 'Try a longer range, without kind or status, or check the asset with get_asset.',
    }),
})
