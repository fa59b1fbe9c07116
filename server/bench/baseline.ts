/** Process: minimal servers of the same list, as a baseline for our figures. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fastify from 'fastify'
import type { Entry } from '../src/model/entries.ts'

const [folder = ''] = process.argv.slice(2)
const source = new DatabaseSync(join(folder, 'mintick.sqlite'), { readOnly: true })
const meta = {
  count: 50,
  limit: 50,
  hasMore: true,
  hasPrev: false,
  nextCursor: 'x'.repeat(50),
  prevCursor: null,
  sort: 'createdAt:desc',
  query: null,
  plan: 'custom',
}
const envelope = (data: string, totalCount: number) =>
  `{"success":true,"data":${data},"meta":${JSON.stringify({ totalCount, ...meta })}}`
const docs = source.prepare('select doc from entries order by seq desc limit 50').all() as { doc: string }[]
const preSerialised = envelope(`[${docs.map(({ doc }) => doc).join(',')}]`, 100_000)

/** The same entries in an ordinary table with a column per field. */
const plain = new DatabaseSync(join(folder, 'plain.sqlite'))
plain.exec(`pragma journal_mode = off; pragma synchronous = off; drop table if exists entries;
  create table entries (seq integer primary key, id, title, excerpt, url, url_domain, author, image_url, language,
    sentiment_score real, asset_keys, topic_slugs, published_at, created_at); begin`)
const insert = plain.prepare('insert into entries values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
for (const row of source.prepare('select seq, doc from entries').iterate()) {
  const { assetKeys, topicSlugs, publishedAt, createdAt, ...entry }: Entry = JSON.parse(String(row.doc))
  const fields = Object.values(entry)
  insert.run(Number(row.seq), ...fields, JSON.stringify(assetKeys), JSON.stringify(topicSlugs), publishedAt, createdAt)
}
// The narrowest possible index, for counting.
plain.exec('create index entries_to_count on entries (substr(id, 1, 1)); commit')
const newest =
  plain.prepare(`select json_group_array(json_object('id', id, 'title', title, 'excerpt', excerpt, 'url', url,
    'urlDomain', url_domain, 'author', author, 'imageUrl', image_url, 'language', language,
    'sentimentScore', sentiment_score, 'assetKeys', json(asset_keys), 'topicSlugs', json(topic_slugs),
    'publishedAt', published_at, 'createdAt', created_at)) as data
  from (select * from entries order by seq desc limit 50)`)

const count = plain.prepare('select count(*) as count from entries')

const app = fastify()
app.get('/pre-serialised', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(preSerialised)
})
app.get('/built', (_request, reply) => {
  const total = Number(count.get()?.count)
  reply.type('application/json; charset=utf-8').send(envelope(String(newest.get()?.data), total))
})
app.get('/built-without-total', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(envelope(String(newest.get()?.data), 100_000))
})
process.stdout.write(`The baseline is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
