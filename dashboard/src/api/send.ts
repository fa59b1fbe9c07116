import type { Mintick } from 'mintick-client'
import type { ApiCall } from './api-call.ts'
import { mintick } from './clients.ts'

type Member<Parent, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Parent
    ? Member<Parent[Name], Rest>
    : never
  : Path extends keyof Parent
    ? Parent[Path]
    : never

/** The answer of a method of the client, such as entries.list. Methods of data have a second signature, for chosen fields. */
export type AnswerOf<Method extends string> =
  Member<Mintick, Method> extends {
    // biome-ignore lint/suspicious/noExplicitAny: any method matches
    (...args: any[]): PromiseLike<infer Answer>
    // biome-ignore lint/suspicious/noExplicitAny: any method matches
    (...args: any[]): unknown
  }
    ? Answer
    : never

type Resource = Record<string, unknown>
type Send = (...args: unknown[]) => PromiseLike<unknown>

/** Makes a call with the client: the very call that a view shows as code. */
export async function send<Method extends string>(
  { method, args = [], params = {} }: ApiCall<Method>,
  signal?: AbortSignal,
): Promise<AnswerOf<Method>> {
  const names = method.split('.')
  const name = names.pop() ?? ''
  const resource = names.reduce((parent, child) => parent[child] as Resource, mintick as unknown as Resource)
  const answer = await (resource[name] as Send).call(resource, ...args, params, { signal })
  return answer as AnswerOf<Method>
}
