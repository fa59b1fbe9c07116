/** `mintick import`, run as a separate process, into the store and through a service that has the store open. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { createMintick, type Mintick } from '../../src/main.ts'
import { createPlace, onEveryEngine, type Place } from '../harness.ts'
import { finished, spawnCommand } from '../spawn.ts'

const ASSETS = [
  { key: 'QUUX', name: 'Quuxwell Holdings plc', type: 'equity', exchange: 'LSE' },
  { key: 'tsla', aliases: ['Tesla', 'Sparkwagon'] },
  { key: 'BAD', type: 'equity' },
]
const TOPICS = [
  { slug: 'beekeeping', name: 'Beekeeping', terms: { sure: 'beehive, honey harvest' } },
  { slug: 'swarms', name: 'Swarms', parentSlug: 'beekeeping' },
  { slug: 'wrong', name: 'Wrong', terms: { sure: '*' } },
]
const PUBLISHERS = [
  { slug: 'hive-post', name: 'The Hive Post', domain: 'hive.example', countryCode: 'nz' },
  { slug: 'nowhere', name: 'Nowhere' },
]

const titles = (prefix: string) =>
  ['Sparkwagon recalls 1,000 cars over brakes', 'Record honey harvest pleases Quuxwell Holdings'].map(
    (title, place) => ({
      title,
      url: `https://hive.example/${prefix}/${place}`,
      publisher: 'The Hive Post',
    }),
  )

onEveryEngine('mintick import, with the service stopped', (engine) => {
  let place: Place
  before(async () => {
    place = await createPlace(engine)
  })
  after(() => place.remove())

  test('assets, topics and publishers go in; what is wrong is told by line', () => assertLoads(place.env))

  test('the same files again change nothing', async () => {
    assert.match((await load(place.env, 'assets', ASSETS)).stdout, /^Added 0 assets; 0 changed, 2 already there, 1 /)
    assert.match((await load(place.env, 'topics', TOPICS)).stdout, /^Added 0 topics; 0 changed, 2 already there, 1 /)
  })

  test('entries are then found to be about them', async () => {
    assert.match(
      (await load(place.env, 'entries', titles('a'))).stdout,
      /^Added 2 entries; 0 changed, 0 already there, 0 rej/,
    )
    const mintick = await createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })
    await assertFound(mintick)
    await mintick.close()
  })

  test('a publisher that gets another country takes its entries along', async () => {
    await load(place.env, 'publishers', [{ slug: 'hive-post', countryCode: 'IS' }])
    const mintick = await createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })
    assert.deepEqual([await total(mintick, 'countryCode=NZ'), await total(mintick, 'countryCode=IS')], [0, 2])
    await mintick.close()
  })
})

describe('mintick import, with the service running on the embedded store', () => {
  let place: Place
  let mintick: Mintick
  let env: Record<string, string>
  before(async () => {
    place = await createPlace('sqlite')
    const asset = JSON.stringify({ key: 'TSLA', name: 'Tesla, Inc.', type: 'equity' })
    writeFileSync(join(place.env.DATA_DIR ?? '', 'first.ndjson'), asset)
    await run(place.env, 'import', 'assets', join(place.env.DATA_DIR ?? '', 'first.ndjson'))
    mintick = await createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })
    const { port } = new URL(await mintick.app.listen({ port: 0, host: '127.0.0.1' }))
    env = { ...place.env, PORT: port, HOST: '127.0.0.1' }
  })
  after(async () => {
    await mintick.close()
    await place.remove()
  })

  test('assets, topics and publishers go through it, with the same summary', () => assertLoads(env))

  test('entries that come next are found to be about them', async () => {
    await load(env, 'entries', titles('b'))
    await assertFound(mintick)
  })

  test('a new alias and a new term hold for the entries that come after them', async () => {
    await load(env, 'assets', [{ key: 'TSLA', aliases: ['Voltbuggy'] }])
    await load(env, 'topics', [{ slug: 'swarms', terms: { sure: 'drone bee' } }])
    await load(env, 'entries', [{ title: 'Voltbuggy hires a drone bee expert', url: 'https://hive.example/c' }])
    const [entry] = await entries(mintick, 'search=voltbuggy')
    assert.deepEqual([entry.assetKeys, entry.topicSlugs.includes('swarms')], [['TSLA'], true])
  })

  test('a line that no request could hold is refused alone, and so is what is no text', async () => {
    const { code, stdout } = await load(env, 'assets', [
      { key: 'LONG', name: 'x'.repeat(2_000_000), type: 'etf' },
      { key: 'NULS', name: 'N\0ul \ud800', type: 'etf' },
      ...Array.from({ length: 450 }, (_, number) => ({ key: `A${number}`, name: `漢${number}`, type: 'index' })),
    ])
    assert.equal(code, 0)
    assert.match(stdout, /^Added 451 assets; 0 changed, 0 already there, 1 rejected\n {2}1 because .*: line 1\n/)
  })
})

test('import says what it takes', async () => {
  const { code, stderr } = await run({}, 'import', 'things', 'x')
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^mintick: import needs one of entries, assets, topics, publishers, markets, .* and a file, such as: .*\n$/,
  )
})

async function assertLoads(env: Record<string, string>): Promise<void> {
  const assets = await load(env, 'assets', ASSETS)
  assert.deepEqual(
    [assets.code, assets.stdout.split('\n').slice(0, 2)],
    [
      0,
      ['Added 1 assets; 1 changed, 0 already there, 1 rejected', '  1 because a new asset needs name and type: line 3'],
    ],
  )
  const topics = await load(env, 'topics', TOPICS)
  assert.deepEqual(topics.stdout.split('\n').slice(0, 2), [
    'Added 2 topics; 0 changed, 0 already there, 1 rejected',
    '  1 because Terms of the topic "wrong": "*": a gap must be between two words: line 3',
  ])
  const publishers = await load(env, 'publishers', PUBLISHERS)
  assert.deepEqual(publishers.stdout.split('\n').slice(0, 2), [
    'Added 1 publishers; 0 changed, 0 already there, 1 rejected',
    '  1 because a new publisher needs name and domain: line 2',
  ])
  const nothing = await load(env, 'publishers', [{ slug: 'nowhere' }])
  assert.equal(nothing.code, 1)
}

async function assertFound(mintick: Mintick): Promise<void> {
  const [recall] = await entries(mintick, 'search=sparkwagon')
  assert.deepEqual(recall.assetKeys, ['TSLA'])
  const [harvest] = await entries(mintick, 'search=honey')
  assert.deepEqual([harvest.assetKeys, harvest.topicSlugs.includes('beekeeping')], [['QUUX'], true])
  assert.equal(await total(mintick, 'countryCode=NZ&publisherSlug=hive-post'), 2)
}

async function answer(mintick: Mintick, query: string) {
  const owner = mintick.ownerKey ?? (await ownKey(mintick))
  const headers = { authorization: `Bearer ${owner}` }
  return (await mintick.app.inject({ url: `/api/v1/entries?${query}`, headers })).json()
}

/** Creates a key for the owner: the store prints the original key only when first opened. */
async function ownKey(mintick: Mintick): Promise<string> {
  const headers = { authorization: `Bearer ${mintick.adminToken}` }
  const accounts = (await mintick.app.inject({ url: '/admin/accounts', headers })).json()
  const owner = accounts.data.find(({ email }: { email: string }) => email === 'owner@localhost')
  const url = `/admin/accounts/${owner.id}/api-keys`
  return (await mintick.app.inject({ method: 'POST', url, headers, payload: { name: 'test' } })).json().data.apiKey
}

const entries = async (mintick: Mintick, query: string) => (await answer(mintick, query)).data
const total = async (mintick: Mintick, query: string) => (await answer(mintick, query)).meta.totalCount

async function load(env: Record<string, string>, noun: string, records: object[]) {
  const file = join(env.DATA_DIR ?? '', `${noun}.ndjson`)
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return run(env, 'import', noun, file, ...(noun === 'entries' ? [] : ['--update']))
}

const run = (env: Record<string, string>, ...args: string[]) => finished(spawnCommand(env, ...args))
