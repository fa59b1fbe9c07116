import type { Queryable } from './db.ts'
import { anyRef, type ListFilter } from './lists/filters.ts'
import { forEachChunk, refsBy } from './lists/refs.ts'

/** Filters by topics: each stands for its branch, which is the topic itself and all topics below it. */
export const inBranch = (column: string, by: 'id' | 'slug', ...alsoBy: string[]): ListFilter<readonly string[]> => ({
  ...anyRef(column, 'topics', by, ...alsoBy),
  async resolve(keys, db) {
    const refs = new Set<number>()
    await forEachChunk(keys, async (params, list) => {
      for (const { ref } of await db.query<{ ref: number }>(branchSql(`${by} in (${list})`), params.values))
        refs.add(ref)
    })
    return [...refs].sort((a, b) => a - b)
  },
})

/** Returns a query for the refs of the topics that meet a condition, and of all topics below them. */
export const branchSql = (condition: string): string => `with recursive branch (id, ref) as (
    select id, ref from topics where ${condition}
    union
    select t.id, t.ref from topics t join branch on t.parent_id = branch.id
  )
  select ref from branch`

export interface TopicRefs {
  own: readonly number[]
  /** Those of the topics, and of all topics above them. */
  counted: readonly number[]
}

/** Finds the topics of several records. Skips slugs that the store does not have. */
export async function topicRefsOf(tx: Queryable, slugs: readonly (readonly string[])[]): Promise<TopicRefs[]> {
  const own = await refsBy<{ ref: number; path: string }>(tx, 'topics', 'slug', slugs.flat(), ['path'])
  const paths = new Map([...own].map(([slug, { path }]): [string, string[]] => [slug, JSON.parse(path)]))
  const above = await refsBy(tx, 'topics', 'slug', [...paths.values()].flat())
  const refsOf = (ofRecord: readonly string[]): TopicRefs => {
    const counted = new Set(ofRecord.flatMap((slug) => paths.get(slug) ?? []))
    return {
      own: ofRecord.flatMap((slug) => own.get(slug)?.ref ?? []),
      counted: [...counted].flatMap((slug) => above.get(slug)?.ref ?? []),
    }
  }
  // Many records have the same topics.
  const known = new Map<string, TopicRefs>()
  return slugs.map((ofRecord) => {
    const key = ofRecord.join(' ')
    const refs = known.get(key) ?? refsOf(ofRecord)
    known.set(key, refs)
    return refs
  })
}
