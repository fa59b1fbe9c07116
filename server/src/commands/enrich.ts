import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { builtInCatalogue } from '../catalogue/built-in/built-in.ts'
import { Enricher, type RawText } from '../enrich/enrich.ts'
import { parseLine } from './ndjson.ts'

/**
 * `mintick enrich`: reads NDJSON {title, content?, language?} from stdin and prints one line of NDJSON findings per
 * line. Uses the built-in assets and topics, and no store.
 */
export async function enrichCommand(): Promise<void> {
  const enricher = new Enricher(builtInCatalogue())
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const answer = `${JSON.stringify(enrichLine(line, enricher))}\n`
    if (!process.stdout.write(answer)) await once(process.stdout, 'drain')
  }
}

function enrichLine(line: string, enricher: Enricher): object {
  const given = parseLine(line)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { error: 'must be a JSON object' }
  const { title = '', content = null, language = null } = given as Record<string, unknown>
  if (!isText(title) || !isText(content) || !isText(language)) {
    return { error: 'title, content and language must be strings' }
  }
  const {
    language: detected,
    sentimentScore,
    assetKeys,
    entities,
    topicSlugs,
  } = enricher.enrich({
    title: title ?? '',
    content,
    language,
  } satisfies RawText)
  return { language: detected, sentimentScore, assetKeys, entities, topicSlugs }
}

const isText = (value: unknown): value is string | null => typeof value === 'string' || value === null
