import { Call, type WithResponse } from './call.ts'
import type { Params, RequestOptions, Transport } from './transport.ts'

/** A page of a list. Iterating over it continues with the pages after it and holds one of them at a time. */
export class Page<T, Meta> implements AsyncIterable<T> {
  /** The items of this page. */
  readonly data: T[]
  /** The place of this page in the list, with the total and the cursors. */
  readonly meta: Meta
  readonly #request: (params: Params) => ListCall<T, Meta>
  readonly #next: Params | undefined

  /** Creates a page; `request` requests another one. */
  constructor(data: T[], meta: Meta, params: Params, request: (params: Params) => ListCall<T, Meta>) {
    this.data = data
    this.meta = meta
    this.#request = request
    this.#next = nextParams(meta as object, params)
  }

  /** Whether there is a next page. */
  get hasNext(): boolean {
    return this.#next !== undefined
  }

  /** Requests the next page; undefined if this is the last one. */
  next(): ListCall<T, Meta> | undefined {
    return this.#next && this.#request(this.#next)
  }

  /** Iterates over the items of this page and of all pages after it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* this.data
    for (let next = this.next(); next !== undefined; ) {
      const page: Page<T, Meta> = await next
      yield* page.data
      next = page.next()
    }
  }
}

/** A request for a page: a promise of it, and directly iterable over the items of all pages. */
export class ListCall<T, Meta> extends Call<Page<T, Meta>> implements AsyncIterable<T> {
  /** Iterates over the items of all pages. Each page is requested when the items before it have been used. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this
  }
}

/** Calls an endpoint that returns a list. */
export function list<T, Meta>(
  transport: Transport,
  path: string,
  params: Params = {},
  options?: RequestOptions,
): ListCall<T, Meta> {
  const request = (params: Params) => list<T, Meta>(transport, path, params, options)
  const send = async (): Promise<WithResponse<Page<T, Meta>>> => {
    const { body, response } = await transport.send('GET', path, params, options)
    return { data: new Page(body.data as T[], body.meta as Meta, params, request), response }
  }
  return new ListCall(send())
}

/**
 * Returns the parameters of the next page. Its field of `meta` is named after the parameter: `nextPage` is `page`, and
 * `nextCursor` is `after`.
 */
function nextParams(meta: object, params: Params): Params | undefined {
  // The demo key gets no page but the first.
  if ('plan' in meta && meta.plan === 'demo') return undefined
  const isDescending = 'sortBy' in params && String(params.sortBy).endsWith(':desc')
  for (const [name, value] of Object.entries(meta)) {
    if (!name.startsWith('next') || value === null) continue
    if (name === 'nextCursor') return { ...params, after: value, before: undefined }
    // Earlier items follow only in a descending order: an ascending answer without a start has the newest ones.
    if (name.endsWith('Before') && !isDescending) continue
    return { ...params, [name.charAt(4).toLowerCase() + name.slice(5)]: value }
  }
  return undefined
}
