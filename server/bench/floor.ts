/**
 * Process: a bare Fastify that answers every GET with the text of the last PUT: the least that a response can cost. If that PUT has the
 * header `x-work-micros`, each answer takes this much more CPU time.
 */
import fastify from 'fastify'

const MAX_BYTES = 64 * 2 ** 20
const CALIBRATION_STEPS = 5_000_000
const CALIBRATION_ROUNDS = 10

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

/** Returns the number of steps that take this CPU time, by the median of several rounds: the first ones run code that is not compiled. */
function stepsIn(micros: number): number {
  if (micros === 0) return 0
  const rounds = Array.from({ length: CALIBRATION_ROUNDS }, () => {
    const before = process.cpuUsage()
    work(CALIBRATION_STEPS)
    return process.cpuUsage(before).user
  })
  const usual = rounds.toSorted((a, b) => a - b)[CALIBRATION_ROUNDS / 2] ?? 0
  return Math.round((micros / usual) * CALIBRATION_STEPS)
}
