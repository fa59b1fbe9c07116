/**
 * Process: a bare Fastify that answers every GET with the text of the last PUT: the least that a response can cost. With the header
 * `x-work-micros`, each answer also takes this much CPU time, which makes the floor as busy as the service at the same rate.
 */
import fastify from 'fastify'

const MAX_BYTES = 64 * 2 ** 20
const CALIBRATION_STEPS = 5_000_000

const app = fastify({ bodyLimit: MAX_BYTES })
let answer = ''
let steps = 0
/** Kept, so that no compiler removes the work. */
let sum = 0
app.put('/', (request, reply) => {
  answer = String(request.body)
  steps = stepsIn(Number(request.headers['x-work-micros'] ?? 0))
  reply.send()
})
app.get('*', (_request, reply) => {
  work(steps)
  reply.type('application/json; charset=utf-8').send(answer)
})
process.stdout.write(`The floor is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)

function work(count: number): void {
  for (let step = 0; step < count; step += 1) sum = (sum * 31 + step) | 0
}

/** Returns the number of steps that take this time. The second of two measured rounds runs compiled code. */
function stepsIn(micros: number): number {
  if (micros === 0) return 0
  let elapsedMicros = 0
  for (let round = 0; round < 2; round += 1) {
    const from = performance.now()
    work(CALIBRATION_STEPS)
    elapsedMicros = (performance.now() - from) * 1_000
  }
  return Math.round((micros / elapsedMicros) * CALIBRATION_STEPS)
}
