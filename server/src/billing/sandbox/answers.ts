import { DAY } from '../../model/time.ts'
import type { SandboxTransaction } from '../../store/sandbox.ts'
import type { Desk } from './desk.ts'
import { expanded } from './expand.ts'
import { Fault } from './fault.ts'
import { INCLUDABLE } from './routes.ts'
import { type ApiAnswer, type ApiCall, faultAnswer } from './server.ts'

export const ANSWERS_KEPT_MS = DAY

/** Answers a call; one that was answered under the same key gets the same answer and does nothing. */
export async function answerOnce(desk: Desk, tx: SandboxTransaction, call: ApiCall, nowMs: number): Promise<ApiAnswer> {
  const key = call.request.idempotency_key
  const kept = key === null ? undefined : await tx.findAnswer(key, nowMs - ANSWERS_KEPT_MS)
  if (kept !== undefined) {
    if (kept.request !== call.digest) throw otherRequest(key)
    return { status: kept.status, body: kept.body, isReplayed: true }
  }
  const { answer, expand } = await call.route.run(desk, call.form, call.id)
  const reply = answer instanceof Fault ? faultAnswer(answer) : await success(desk, answer, expand)
  await keepAnswer(tx, call, reply, nowMs)
  return reply
}

export async function keepAnswer(
  tx: SandboxTransaction,
  call: ApiCall,
  answer: ApiAnswer,
  nowMs: number,
): Promise<void> {
  const key = call.request.idempotency_key
  const { status, body } = answer
  if (key !== null) await tx.saveAnswer(key, { request: call.digest, status, body }, nowMs)
}

async function success(desk: Desk, answer: object, expand: readonly string[]): Promise<ApiAnswer> {
  const body = await expanded(desk, answer, expand, INCLUDABLE)
  return { status: 200, body: JSON.stringify(body), isReplayed: false }
}

const otherRequest = (key: string | null) =>
  new Fault(
    400,
    {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    false,
  )
