/** Process: a bare Fastify that answers every GET with the text of the last PUT: the least that a response can cost. */
import fastify from 'fastify'

const MAX_BYTES = 64 * 2 ** 20

const app = fastify({ bodyLimit: MAX_BYTES })
let answer = ''
app.put('/', (request, reply) => {
  answer = String(request.body)
  reply.send()
})
app.get('*', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(answer)
})
process.stdout.write(`The floor is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
