import { Entry } from '../model/entries.ts'
import { fieldNames, type Importable } from './importable.ts'

/** The fields that ingest/entries/raw-entry.ts reads. `time` is another name of publishedAt. */
const FIELDS = [
  'title',
  'url',
  'content',
  'excerpt',
  'publisher',
  'publishedAt',
  'time',
  'author',
  'imageUrl',
  'language',
]
const names = fieldNames(FIELDS, Object.keys(Entry.properties))

export const entries: Importable = {
  noun: 'entries',
  key: 'url',
  about:
    'An entry needs title and url. publisher is a name, or an object with name, slug and domain. Texts may contain HTML. Language, sentiment, assets, topics and clusters are derived.',
  example: {
    title: 'Apple shares jump after record quarter',
    url: 'https://news.example/1',
    publisher: 'News Desk',
    publishedAt: '2026-01-31T08:00:00Z',
  },
  batchRows: 200,
  fieldsOf: () => names,
  async write(rows, options, { intake }) {
    const { added, changed, known, refused } = await intake.take(rows, options)
    return { added, changed, known, refused }
  },
}
