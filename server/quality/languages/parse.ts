import de from './de.ts'
import es from './es.ts'
import fr from './fr.ts'
import it from './it.ts'
import ja from './ja.ts'
import pt from './pt.ts'
import zh from './zh.ts'

/** A headline with its tone, assets and topics according to a human reader. */
export interface ForeignHeadline {
  title: string
  tone: -1 | 0 | 1
  assetKeys: string[]
  topics: string[]
  /** Assets and topics on which readers may differ: neither a hit nor a miss. */
  optional: string[]
}

const LINES = { de, fr, es, it, pt, ja, zh }

/**
 * Parses lines of `tone | assets | topics | title`, where a question mark makes an asset or a topic optional. Every
 * third line is held back.
 */
export function foreignHeadlines(): { language: string; tuned: ForeignHeadline[]; heldBack: ForeignHeadline[] }[] {
  return Object.entries(LINES).map(([language, lines]) => {
    const all = lines.trim().split('\n').map(parseLine)
    return {
      language,
      tuned: all.filter((_, index) => index % 3 !== 2),
      heldBack: all.filter((_, index) => index % 3 === 2),
    }
  })
}

function parseLine(line: string): ForeignHeadline {
  const [tone = '', assets = '', topics = '', title = ''] = line.split('|').map((part) => part.trim())
  const keys = wordsOf(assets)
  const slugs = wordsOf(topics)
  return {
    title,
    tone: tone === '1' ? 1 : tone === '-1' ? -1 : 0,
    assetKeys: keys.filter((key) => !key.endsWith('?')),
    topics: slugs.filter((slug) => !slug.endsWith('?')),
    optional: [...keys, ...slugs].filter((one) => one.endsWith('?')).map((one) => one.slice(0, -1)),
  }
}

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '')
