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
    depth: param.integerList('Depth in the tree, 0 at a root', { minimum: 0, maximum: MAX_DEPTH }),
    isLeaf: param.flag('true: only topics without children; false: only those that have some'),
  }),
})

export const TopicTreeQuery = Type.Object(
  param.ownKeyFilters({
    rootSlug: param.slug('Only the tree below this topic, the topic included'),
    maxDepth: param.integer(0, MAX_DEPTH, 'How many levels below the roots of the answer are shown'),
  }),
)

export const TopicEntriesQuery = Type.Object({
  ...EntryListQuery.properties,
  includeDescendants: param.ownKey(
    Type.Boolean({ default: true, description: 'Whether entries about topics below this one are listed too' }),
  ),
})
