import Type from 'typebox'
import * as param from '../../http/params.ts'
import { EntryListQuery } from '../entries/schema.ts'

const MAX_DEPTH = 100

export const TopicQuery = Type.Object({
  ...param.catalogueList(),
  sortBy: param.sorts('name:asc', 'entryCount:desc', 'entryCount24h:desc'),
  ...param.ownKeyFilters({
    parentId: param.uuidList('Id of the parent'),
    parentSlug: param.textList('Slug of the parent', 'lower'),
    depth: param.integerList('Depth in the tree; roots have 0', { minimum: 0, maximum: MAX_DEPTH }),
    isLeaf: param.flag('true: only topics without children; false: only topics with children'),
  }),
})

export const TopicTreeQuery = Type.Object(
  param.ownKeyFilters({
    rootSlug: param.slug('Only this topic and its descendants'),
    maxDepth: param.integer(0, MAX_DEPTH, 'Number of levels below the returned roots'),
  }),
)

export const TopicEntriesQuery = Type.Object({
  ...EntryListQuery.properties,
  includeDescendants: param.ownKey(
    Type.Boolean({ default: true, description: 'Whether to include entries about descendants of the topic' }),
  ),
})
