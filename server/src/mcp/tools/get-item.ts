import Type from 'typebox'
import { ITEM_TYPES, type ItemType, parseItemId } from '../item-id.ts'
import { renderItem } from '../item-text.ts'
import { BadCall, defineTool } from '../tool.ts'

/** Parts that belong to the answer about an item. */
const INCLUDED: Partial<Record<ItemType, string>> = { entry: 'publisher,cluster' }

export const getItem = defineTool({
  name: 'get_item',
  title: 'Get an item',
  description: `Everything about one item, by an id from another tool, such as entry:… or signal:…. Types: ${ITEM_TYPES.join(', ')}. Ids within the answer lead on: the cluster of an entry, the evidence of a signal. 1 credit, prediction-market 2.`,
  input: Type.Object(
    { id: Type.String({ minLength: 1, maxLength: 400, description: 'Id with its type, as other tools print it' }) },
    { additionalProperties: false },
  ),
  example: { id: 'asset:AAPL' },
  request({ id }) {
    const { type, path } = itemOf(id)
    return { path, params: { include: INCLUDED[type] } }
  },
  render: ({ data, notes }, { id }) => renderItem(itemOf(id).type, data, notes),
})

function itemOf(id: string) {
  const item = parseItemId(id)
  if (item !== undefined) return item
  throw new BadCall(
    `id must be a type, a colon and an id, as the other tools print it, such as asset:AAPL; types are ${ITEM_TYPES.join(', ')}.`,
  )
}
