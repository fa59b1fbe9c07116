import type { Caller } from '../admission/caller.ts'
import { DEMO_LIST_CAP } from '../admission/demo.ts'
import type { Selection } from '../model/selection.ts'
import { successBody } from './envelope.ts'
import { selectData } from './fields.ts'
import type { ParsedInput, Route } from './input.ts'
import { type Applied, boundList, cursorMeta, offsetMeta, pageMeta, scopeOf } from './paging.ts'

/** Bodies of answers. They are cached, since the store returns the same object for a page or a record in its cache. */
export class AnswerBodies {
  readonly #bodies = new WeakMap<object, Map<string | undefined, Buffer>>()
  /** The last selection from each body. */
  readonly #selections = new WeakMap<Buffer, { fields: string; body: Buffer }>()

  /** Returns the body for the result of an endpoint's handler. */
  of(
    { endpoint, list }: Route<never>,
    { params, query, page }: ParsedInput,
    caller: Caller | undefined,
    // biome-ignore lint/suspicious/noExplicitAny: of endpoints of every shape
    result: any,
  ): Buffer {
    const plan = caller?.plan.slug
    const applied = {
      scope: () => scopeOf(boundList(list, query), query, params),
      limit: page.limit,
      sort: stringOrNull(query.sortBy) ?? '',
      query: stringOrNull(query.query) ?? stringOrNull(query.search),
      plan,
    }
    switch (endpoint.returns) {
      case 'cursor-list':
        return this.cached(result, cursorVariant(applied, params, query), () =>
          successBody(result.data, cursorMeta(result, applied)),
        )
      case 'offset-list':
        return this.cached(result, undefined, () =>
          successBody(result.data, offsetMeta(result, page.limit, page.offset)),
        )
      case 'page-list':
        return this.cached(result, plan, () => successBody(result.data, pageMeta(result, page.number, applied)))
      case 'list':
        // A list in JSON is as long as its parameters allow.
        return this.cached(result, plan, () =>
          successBody(caller?.account.isDemo && Array.isArray(result) ? result.slice(0, DEMO_LIST_CAP) : result),
        )
      case 'series':
        return this.cached(result, plan, () => successBody(result.data, result.meta))
      case 'text':
        return this.cached(result, undefined, () => Buffer.from(result.text))
      default:
        return this.cached(result, undefined, () => successBody(result))
    }
  }

  /** Returns a body with the selected fields only. The last one is cached: callers ask for the same fields again and again. */
  select(whole: Buffer, selection: Selection | undefined): Buffer {
    if (selection === undefined) return whole
    const fields = JSON.stringify(selection, (_, part) => (part instanceof Map ? [...part] : part))
    const known = this.#selections.get(whole)
    if (known?.fields === fields) return known.body
    const body = selectData(whole, selection)
    this.#selections.set(whole, { fields, body })
    return body
  }

  /** Returns the cached body of a result, or renders it. A result has a body per variant, such as the plan that the meta names. */
  cached(result: object, variant: string | undefined, render: () => Buffer): Buffer {
    const bodies = this.#bodies.get(result) ?? new Map<string | undefined, Buffer>()
    const known = bodies.get(variant)
    if (known !== undefined) return known
    const body = render()
    this.#bodies.set(result, bodies.set(variant, body))
    return body
  }
}

/** Returns what the body of a page depends on besides the page: cursors are bound to path and asOf as requested. */
function cursorVariant({ plan }: Applied, params: Record<string, string>, { asOf }: { asOf?: unknown }) {
  const path = Object.values(params).join('/').toLowerCase()
  return path === '' && asOf === undefined ? plan : `${plan} ${asOf} ${path}`
}

const stringOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
