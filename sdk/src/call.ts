import { SecretLostError } from './errors.ts'
import type { ResponseInfo } from './response.ts'
import type { Method, Params, RequestOptions, Transport } from './transport.ts'

/** The data of an answer with everything else about it. */
export interface WithResponse<T> {
  /** The data. */
  data: T
  /** Status, headers, credits and rate limits. */
  response: ResponseInfo
}

/** A request that has been sent: a promise of its data. */
export class Call<T> implements Promise<T> {
  /** Name of the class in debuggers. */
  readonly [Symbol.toStringTag] = 'Call'
  readonly #answer: Promise<WithResponse<T>>

  /** Wraps a request that has been sent. */
  constructor(answer: Promise<WithResponse<T>>) {
    this.#answer = answer
  }

  /** Returns the data together with credits, rate limits, headers and the request id. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#answer
  }

  /** Resolves with the data. */
  // biome-ignore lint/suspicious/noThenProperty: a call is a promise
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onData, onError)
  }

  /** Handles an error. */
  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError)
  }

  /** Runs after the call, however it ended. */
  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd)
  }
}

/** Calls an endpoint. `secret` names the field of the answer that is sent only once. */
export function call<T>(
  transport: Transport,
  method: Method,
  path: string,
  params: Params | undefined,
  options: RequestOptions | undefined,
  secret?: string,
): Call<T> {
  const send = async () => {
    const { body, response } = await transport.send(method, path, params, options)
    const data = body.data as T & object
    if (secret !== undefined && response.isReplayed && !(secret in data)) throw new SecretLostError(secret, data)
    return { data, response }
  }
  return new Call(send())
}
