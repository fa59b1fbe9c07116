import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readArticles } from '../../quality/search/articles.ts'
import { FakeClock, onEveryEngine, TestService } from '../harness.ts'

/** Questions, and the articles that must be among the first five answers. */
const QUESTIONS: readonly (readonly [question: string, ids: readonly string[]])[] = [
  ['crypto exchange hacked', ['drained', 'exchange']],
  ['hackers steal cryptocurrency', ['drained', 'exchange']],
  ['vacant office buildings hurt banks', ['bank', 'tower']],
  ['engine cracks ground aircraft', ['engine', 'ceo']],
  ['municipal bond default', ['bond']],
  ['accounting scandal missing money', ['fraud']],
  ['privacy penalty for selling location data', ['fine']],
  ['low water levels disrupt shipping', ['drought']],
  ['copper supply disruption', ['copper']],
  ['app store commission ruling', ['antitrust']],
]

/** With the built-in model, over articles whose headlines often do not say what is asked. */
onEveryEngine('questions about articles', (engine) => {
  let service: TestService
  let key: string
  const articles = [
    ...readArticles(),
    { id: 'drained', title: 'Hackers drain $40 million from crypto exchange', content: '' },
  ]
  const titleOf = new Map(articles.map(({ id, title }) => [id, title]))
  before(async () => {
    service = new TestService(new FakeClock())
    // Each instance follows the index of vectors in its own time.
    service.isAlone = true
    await service.start(engine, { EMBEDDINGS: 'on' })
    key = (await service.openUnlimited()).key
    const { intake, indexing } = service.mintick.ingest
    await intake.take(
      articles.map(({ id, title, content }) => ({ title, content, language: 'en', url: `https://news.example/${id}` })),
    )
    await indexing.catchUp()
  })
  after(() => service.stop())

  const ask = (query: string) => service.get(`/entries?${new URLSearchParams({ query, limit: '5' })}`, key)

  test('articles that answer a question are among the first five, though their headlines may not say so', async () => {
    const missed: string[] = []
    const totals: number[] = []
    for (const [question, ids] of QUESTIONS) {
      const { data, meta } = await ask(question)
      assert.equal(meta.mode, 'semantic')
      totals.push(meta.totalCount)
      const found = new Set(data.map(({ title }: { title: string }) => title))
      for (const id of ids) if (!found.has(titleOf.get(id))) missed.push(`${question}: ${id}`)
    }
    assert.deepEqual(missed, [])
    assert.ok(new Set(totals).size > 1, `${totals}`)
    assert.ok(Math.max(...totals) < articles.length, `${totals}`)
  })

  test('nonsense finds nothing', async () => {
    assert.equal((await ask('blorptang zxqv frumious')).meta.totalCount, 0)
  })

  test('the answer to a question in another language says that words alone were compared', async () => {
    const { meta } = await ask('Wer wird der neue Chef der Fluggesellschaft und was will die Regierung?')
    assert.equal(meta.mode, 'words')
  })
})
