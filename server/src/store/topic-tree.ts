import { isDeepStrictEqual } from 'node:util'
import { idOf } from '../model/ids.ts'
import { Refused } from '../model/refused.ts'
import type { Topic, TopicChange, TopicWords } from '../model/topics.ts'
import type { Queryable } from './db.ts'
import { mergeChanges, type Upserted } from './lists/catalogue-writes.ts'

/** A topic as the operator describes it; the rest follows from the tree. */
export type KeptTopic = Pick<Topic, 'id' | 'description'> & TopicWords

/** All topics by their slugs. */
export type TopicTree = Map<string, KeptTopic>

const MAX_LEVELS = 20

export interface TreeChanges {
  outcome: Upserted
  /** What is to be written, parents before their children. */
  rows: { topic: KeptTopic; parentId: string | null; path: string[] }[]
  /** Whether one that was there already lies elsewhere now. */
  hasMoved: boolean
}

/** Merges changes into the tree. With a topic that gets another parent all below it move along. */
export function changeTree(tree: TopicTree, changes: readonly TopicChange[]): TreeChanges {
  const before = pathsIn(tree)
  const { outcome, written } = mergeChanges<TopicChange, KeptTopic>(tree, changes, {
    keyOf: ({ slug }) => slug,
    merge: (change, kept) => changed(tree, change, kept),
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
  const topics = await tx.query<KeptTopic>(
    `select t.id, t.slug, t.name, t.description, p.slug as "parentSlug", t.terms
     from topics t left join topics p on p.id = t.parent_id order by t.ref`,
  )
  return new Map(topics.map((topic) => [topic.slug, { ...topic }]))
}

function changed(tree: TopicTree, change: TopicChange, before: KeptTopic | undefined): KeptTopic {
  const { slug, name, parentSlug } = change
  if (parentSlug !== undefined && parentSlug !== null) checkParent(tree, slug, parentSlug)
  if (before !== undefined) return { ...before, ...change }
  if (name === undefined) throw new Refused('a new topic needs name')
  return { id: idOf(`mintick:topic:${slug}`), description: null, parentSlug: null, terms: null, ...change, name }
}

function checkParent(tree: TopicTree, slug: string, parentSlug: string): void {
  if (parentSlug === slug) throw new Refused('a topic cannot lie below itself')
  if (!tree.has(parentSlug)) throw new Refused(`no topic has the parentSlug "${parentSlug}"; parents come first`)
  const path = pathOf(tree, parentSlug)
  if (path.includes(slug)) throw new Refused(`the parentSlug "${parentSlug}" lies below the topic itself`)
  if (path.length >= MAX_LEVELS) throw new Refused(`a tree has at most ${MAX_LEVELS} levels`)
}

function pathsIn(tree: TopicTree): Map<string, string[]> {
  return new Map([...tree.keys()].map((slug) => [slug, pathOf(tree, slug)]))
}

/** The slugs from the root down to a topic. */
function pathOf(tree: TopicTree, slug: string): string[] {
  const path: string[] = []
  for (let topic = tree.get(slug); topic !== undefined; topic = tree.get(topic.parentSlug ?? '')) path.push(topic.slug)
  return path.reverse()
}
