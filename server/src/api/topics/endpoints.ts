import { DEMO_LIST_CAP } from '../../admission/demo.ts'
import { filtersOf } from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { Topic, TopicNode } from '../../model/topics.ts'
import { entriesPage } from '../entries/endpoints.ts'
import { EntryDetail } from '../entries/schema.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { TopicEntriesQuery, TopicQuery, TopicTreeQuery } from './schema.ts'

export const topicsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/topics',
    access: 'key',
    summary: 'List topics by name',
    cost: { credits: 1 },
    query: TopicQuery,
    returns: 'page-list',
    data: Topic,
    handle: ({ query, page }, { store, clock }) =>
      store.topics.page({ filters: filtersOf(query), sort: query.sortBy, ...page }, clock.now()),
  }),

  endpoint({
    method: 'GET',
    path: '/topics/tree',
    access: 'key',
    summary: 'Get the topic tree',
    cost: { credits: 1 },
    query: TopicTreeQuery,
    returns: 'list',
    data: TopicNode,
    async handle({ query, caller }, { store }) {
      const { rootSlug, maxDepth: depth } = query
      const tree = await store.topics.tree({
        rootSlug,
        depth,
        width: caller.account.isDemo ? DEMO_LIST_CAP : undefined,
      })
      if (tree === undefined) throw ApiError.invalid([{ field: 'rootSlug', message: 'must be the slug of a topic' }])
      return tree
    },
  }),

  endpoint({
    method: 'GET',
    path: '/topics/:id',
    access: 'key',
    summary: 'Get a topic by id or slug',
    cost: { credits: 1 },
    params: idPath('Id or slug of the topic'),
    returns: 'object',
    data: Topic,
    handle: async ({ params }, { store, clock }) =>
      orNotFound(await store.topics.find(params.id, clock.now()), 'topic', 'id or slug'),
  }),

  endpoint({
    method: 'GET',
    path: '/topics/:id/entries',
    access: 'key',
    summary: 'List the entries about a topic and its descendants, newest first',
    cost: { credits: 1 },
    params: idPath('Id or slug of the topic'),
    query: TopicEntriesQuery,
    returns: 'cursor-list',
    data: EntryDetail,
    async handle({ params, query, page }, services) {
      const id = orNotFound(await services.store.topics.findId(params.id), 'topic', 'id or slug')
      const { query: question, includeDescendants: withDescendants, group, include, ...rest } = query
      const inTopic = { id, withDescendants }
      return entriesPage(
        { question, filters: filtersOf(rest), inTopic, sort: query.sortBy, page, group, include },
        services,
      )
    },
  }),
]
