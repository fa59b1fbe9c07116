import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FixtureEntry } from './fixture.ts'

/** Recorded headlines of March 2014 with their stories (UCI News Aggregator), which are not part of the project. */
const HEADLINES = join(import.meta.dirname, '../../../../shared/data/stories/headlines.jsonl')

interface Headline {
  story: string
  publishedAt: number
  title: string
}

/** The recorded headlines in the order of arrival. Clustering was tuned on two thirds of the stories. */
export interface Stories {
  tuned: FixtureEntry[]
  heldBack: FixtureEntry[]
}

/** Returns undefined without the recording. */
export function readStories(): Stories | undefined {
  if (!existsSync(HEADLINES)) return undefined
  const headlines = readFileSync(HEADLINES, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Headline => JSON.parse(line))
  const storyNumbers = new Map([...new Set(headlines.map(({ story }) => story))].map((story, index) => [story, index]))
  const { true: heldBack = [], false: tuned = [] } = Object.groupBy(headlines, ({ story }) => `${isHeldBack(story)}`)
  const entriesOf = (given: readonly Headline[]) =>
    given.map(({ story, title, publishedAt }, key) => ({
      key,
      cluster: storyNumbers.get(story) ?? -1,
      title,
      content: '',
      language: 'en',
      publisher: null,
      publishedAt,
    }))
  return { tuned: entriesOf(tuned), heldBack: entriesOf(heldBack) }
}

function isHeldBack(story: string): boolean {
  return (createHash('sha256').update(story).digest()[0] ?? 0) % 3 === 0
}
