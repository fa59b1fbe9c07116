import { isDeepStrictEqual } from 'node:util'
import { idOf } from '../model/ids.ts'
import { Refused } from '../model/refused.ts'
import type { Topic, TopicChange, TopicNode, TopicWords } from '../model/topics.ts'
import type { Queryable } from './db.ts'
import { mergeChanges, type Upserted, type UpsertOptions } from './lists/catalogue-writes.ts'

/** The stored fields of a topic; the others derive from the tree. */
type StoredTopic = Pick<Topic, 'id' | 'description'> & TopicWords

/** All topics by slug. */
type TopicTree = Map<string, StoredTopic>

const MAX_LEVELS = 20

interface TreeChanges {
  outcome: Upserted
  /** Rows to write, parents before their children. */
  rows: { topic: StoredTopic; parentId: string | null; path: string[] }[]
  /** Whether an existing topic has moved. */
  hasMoved: boolean
}

/** Merges changes into the tree. A topic with a new parent takes its whole branch along. */
export function changeTree(tree: TopicTree, changes: readonly TopicChange[], options: UpsertOptions = {}): TreeChanges {
  const before = pathsIn(tree)
  const { outcome, written } = mergeChanges<TopicChange, StoredTopic>(tree, changes, {
    keyOf: ({ slug }) => slug,
    merge: (change, kept) => changed(tree, change, kept),
    ...options,
  })
  const slugs = new Set(written.map(({ slug }) => slug))
  const rows: TreeChanges['rows'] = []
  let hasMoved = false
  for (const [slug, path] of pathsIn(tree)) {
    const old = before.get(slug)
    const isMoved = old !== undefined && !isDeepStrictEqual(old, path)
    hasMoved ||= isMoved
    const topic = tree.get(slug)
    if (topic === undefined || !(isMoved || slugs.has(slug))) continue
    rows.push({ topic, parentId: tree.get(topic.parentSlug ?? '')?.id ?? null, path })
  }
  return { outcome, rows: rows.sort((a, b) => a.path.length - b.path.length), hasMoved }
}

export async function readTree(tx: Queryable): Promise<TopicTree> {
  const topics = await tx.query<StoredTopic>(
    `select t.id, t.slug, t.name, t.description, p.slug as "parentSlug", t.terms
     from topics t left join topics p on p.id = t.parent_id order by t.ref`,
  )
  return new Map(topics.map((topic) => [topic.slug, { ...topic }]))
}

/** A part of the tree: below a topic, with at most `depth` levels below the first and `width` nodes per level. */
export interface Branches {
  rootSlug: string | undefined
  depth: number | undefined
  width: number | undefined
}

export interface TreeRow {
  id: string
  slug: string
  name: string
  parent_id: string | null
  depth: number
  total: number
}

/** Returns a part of the tree. */
export function branchesOf(rows: readonly TreeRow[], { rootSlug, ...limits }: Branches): TopicNode[] | undefined {
  const trees = nodesBelow(
    Map.groupBy(rows, (row) => row.parent_id),
    null,
  )
  const root = rootSlug === undefined ? undefined : findNode(trees, rootSlug)
  if (rootSlug !== undefined && root === undefined) return undefined
  return prune(root === undefined ? trees : [root], limits.depth ?? Infinity, limits.width ?? Infinity)
}

function nodesBelow(rowsByParent: ReadonlyMap<string | null, TreeRow[]>, parentId: string | null): TopicNode[] {
  return (rowsByParent.get(parentId) ?? []).map(({ id, slug, name, depth, total }) => {
    return { id, slug, name, depth, entryCount: total, children: nodesBelow(rowsByParent, id) }
  })
}

function findNode(nodes: readonly TopicNode[], slug: string): TopicNode | undefined {
  for (const node of nodes) {
    const hit = node.slug === slug ? node : findNode(node.children, slug)
    if (hit !== undefined) return hit
  }
  return undefined
}

function prune(nodes: readonly TopicNode[], depth: number, width: number): TopicNode[] {
  return nodes
    .slice(0, width)
    .map((node) => ({ ...node, children: depth === 0 ? [] : prune(node.children, depth - 1, width) }))
}

function changed(tree: TopicTree, change: TopicChange, before: StoredTopic | undefined): StoredTopic {
  const { slug, name, parentSlug } = change
  if (parentSlug !== undefined && parentSlug !== null) checkParent(tree, slug, parentSlug)
  if (before !== undefined) return { ...before, ...change }
  if (name === undefined) throw new Refused('a new topic needs name')
  return { id: idOf(`mintick:topic:${slug}`), description: null, parentSlug: null, terms: null, ...change, name }
}

function checkParent(tree: TopicTree, slug: string, parentSlug: string): void {
  if (parentSlug === slug) throw new Refused('a topic cannot be its own parent')
  if (!tree.has(parentSlug)) throw new Refused(`no topic has the parentSlug "${parentSlug}"; parents come first`)
  const path = pathOf(tree, parentSlug)
  if (path.includes(slug)) throw new Refused(`the parentSlug "${parentSlug}" is below the topic itself`)
  if (path.length >= MAX_LEVELS) throw new Refused(`a tree has at most ${MAX_LEVELS} levels`)
}

function pathsIn(tree: TopicTree): Map<string, string[]> {
  return new Map([...tree.keys()].map((slug) => [slug, pathOf(tree, slug)]))
}

/** Returns the slugs from the root down to a topic. */
function pathOf(tree: TopicTree, slug: string): string[] {
  const path: string[] = []
  for (let topic = tree.get(slug); topic !== undefined; topic = tree.get(topic.parentSlug ?? '')) path.push(topic.slug)
  return path.reverse()
}
