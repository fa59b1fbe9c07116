import type { EntryText } from '../../src/enrich/text.ts'
import type { TopicAsset } from '../../src/enrich/topics/evidence.ts'
import type { TopicInTree } from '../../src/enrich/topics/rules.ts'
import type { NewTopic } from '../../src/model/topics.ts'

/** A text and the topics that a reader gave it. */
export interface LabelledRow {
  text: EntryText
  assets: TopicAsset[]
  /** Topics that must be found. */
  topics: string[]
  /** Topics on which readers may differ: right if found, no miss if not. */
  optional: string[]
}

/**
 * Lines of `title | topics | assets`. A topic with a question mark is optional, `-` is no topic at all. An asset is
 * `@Sector/Industry` for a share, else `@type:KEY`. Lines that begin with `#` and empty ones are skipped.
 */
export function parseLabelled(lines: string): LabelledRow[] {
  return lines
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [title = '', topics = '', assets = ''] = line.split(' | ')
      const slugs = topics.split(' ').filter((slug) => slug !== '-' && slug !== '')
      return {
        text: { title, content: '' },
        assets: assets === '' ? [] : [parseAsset(assets)],
        topics: slugs.filter((slug) => !slug.endsWith('?')),
        optional: slugs.filter((slug) => slug.endsWith('?')).map((slug) => slug.slice(0, -1)),
      }
    })
}

function parseAsset(text: string): TopicAsset {
  const [type = '', key = ''] = text.slice(1).split(':')
  if (key !== '') return { type, key, sector: null, industry: null, relevanceScore: 1 }
  const [sector = '', industry = ''] = type.split('/')
  return { type: 'equity', sector, industry, relevanceScore: 1 }
}

/** A topic tree, as the classifier takes it. */
export function treeOf(topics: readonly NewTopic[]): TopicInTree[] {
  const slugOf = new Map(topics.map(({ id, slug }) => [id, slug]))
  return topics.map(({ slug, name, parentId }) => ({ slug, name, parentSlug: slugOf.get(parentId ?? '') ?? null }))
}
