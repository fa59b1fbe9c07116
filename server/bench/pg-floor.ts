/**
 * Process: a bare Fastify that runs the statement of the last PUT for every GET, and answers with the text of that PUT: the
 * least that an answer from PostgreSQL can cost.
 */
import fastify from 'fastify'
import pg from 'pg'

const MAX_BYTES = 64 * 2 ** 20
/** As many as an instance has for quick statements. */
const CONNECTIONS = 12

export interface FloorAnswer {
  sql: string
  params: readonly (string | number)[]
  body: string
}

const app = fastify({ bodyLimit: MAX_BYTES })
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: CONNECTIONS })
let answer: FloorAnswer = { sql: 'select 1', params: [], body: '' }
let statements = 0
app.put('/', (request, reply) => {
  answer = request.body as FloorAnswer
  statements += 1
  reply.send()
})
app.get('*', async (_request, reply) => {
  await pool.query({ name: `statement ${statements}`, text: answer.sql, values: [...answer.params] })
  return reply.type('application/json; charset=utf-8').send(answer.body)
})
process.stdout.write(`The floor is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
