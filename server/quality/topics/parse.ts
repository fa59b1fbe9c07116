import type { EntryText } from '../../src/enrich/text.ts'
import type { TopicAsset } from '../../src/enrich/topics/evidence.ts'
import type { TopicInTree } from '../../src/enrich/topics/rules.ts'
import type { NewTopic } from '../../src/model/topics.ts'

/** A text and its topics according to a human reader. */
interface LabelledRow {
  text: EntryText
  assets: TopicAsset[]
  topics: string[]
  /** Topics on which readers may differ: neither a hit nor a miss. */
  optional: string[]
}

/**
 * Parses lines of `title | topics | assets`. A topic with a question mark is optional; `-` means no topic. An asset is
 * `@Sector/Industry` for a share, else `@type:KEY`. Empty lines and lines that begin with `#` are skipped.
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

/** Returns a topic tree in the form the classifier takes. */
export function treeOf(topics: readonly NewTopic[]): TopicInTree[] {
  const slugOf = new Map(topics.map(({ id, slug }) => [id, slug]))
  return topics.map(({ slug, name, parentId }) => ({ slug, name, parentSlug: slugOf.get(parentId ?? '') ?? null }))
}
