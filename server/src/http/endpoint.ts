import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../admission/caller.ts'
import type { Json } from '../model/json.ts'
import type { CursorPage, OffsetPage, Position, WrittenPage } from '../model/paging.ts'
import type { Cost } from '../plans/cost.ts'
import type { Feature } from '../plans/plans.ts'
import type { HtmlAnswer } from './html-page.ts'
import type { Streaming } from './wire.ts'

/**
 * Who may call: anyone, the holder of an API key, the operator of this server, or whoever signed the body, which the
 * handler itself finds out.
 */
export type Access = 'open' | 'key' | 'operator' | 'signed'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Answers that go on until one side ends them. */
export type StreamKind = 'event-stream' | 'websocket'

/** The shape of the answer; the three kinds of paged lists are those of spec 2.7. A page is HTML, for people. */
export type Returns = 'object' | 'list' | 'cursor-list' | 'offset-list' | 'page-list' | 'html' | StreamKind

export interface Input<A extends Access, Params, Query, Body, R extends Returns> {
  params: Params
  query: Query
  /** Of a signed one, the text exactly as it came. */
  body: A extends 'signed' ? string : Body
  caller: A extends 'key' ? Caller : undefined
  /** What a header of the request says, whatever the case of its name. */
  header: A extends 'signed' ? (name: string) => string | undefined : undefined
  /** Its method and path, as usage is counted by. */
  endpoint: string
  page: R extends 'cursor-list'
    ? { limit: number; from: Position | undefined }
    : R extends 'offset-list' | 'page-list'
      ? { limit: number; offset: number }
      : undefined
}

export type Output<R extends Returns, Data> = R extends 'cursor-list'
  ? CursorPage<Data>
  : R extends 'offset-list'
    ? OffsetPage<Data>
    : R extends 'page-list'
      ? OffsetPage<Data> | WrittenPage<Data>
      : R extends 'list'
        ? Data[]
        : R extends StreamKind
          ? Streaming
          : R extends 'html'
            ? HtmlAnswer
            : Data | Json<Data>

/** An endpoint as data. Routes, admission, the reference and the tests are all made from these. */
export interface Endpoint<
  Services,
  A extends Access = Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject = TObject,
  D extends TSchema = TSchema,
  R extends Returns = Returns,
> {
  method: A extends 'signed' ? 'POST' : Method
  /** Below /api/v1 for callers with a key, absolute for the others. */
  path: `/${string}`
  access: A
  summary: string
  description?: string
  /** The meter reads it here and nowhere else. */
  cost: Cost
  needs?: Feature
  refusesDemo?: boolean
  params?: P
  query?: Q
  /** Sent as JSON, or to a page as a form: its fields are texts then. */
  body?: B
  returns: R
  /** Of the object, of one item of the list, or of one event of the stream; PAGE of a page. */
  data: D
  handle(
    input: Input<A, Static<P>, Static<Q>, Static<B>, R>,
    services: Services,
  ): Output<R, Static<D>> | Promise<Output<R, Static<D>>>
}

/** An endpoint whose types have done their work: each was checked against its schemas when it was defined. */
export type AnyEndpoint<Services> = Omit<Endpoint<Services>, 'handle'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the list holds endpoints of every shape
  handle(input: any, services: Services): any
}

/** Gives the function that defines endpoints over these services, with the types of its schemas inferred. */
export function endpointsOver<Services>() {
  return function endpoint<
    const A extends Access,
    D extends TSchema,
    const R extends Returns,
    P extends TObject = TObject,
    Q extends TObject = TObject,
    B extends TObject = TObject,
  >(definition: Endpoint<Services, A, P, Q, B, D, R>): AnyEndpoint<Services> {
    return definition
  }
}

export function isStream(returns: Returns): returns is StreamKind {
  return returns === 'event-stream' || returns === 'websocket'
}

/** Pages are for people, and signed bodies come from those who have their own description of them. */
export function isInReference({ access, returns }: AnyEndpoint<never>): boolean {
  return access !== 'signed' && returns !== 'html'
}

export const API_PREFIX = '/api/v1'

export function routeOf(endpoint: AnyEndpoint<never>): string {
  return endpoint.access === 'key' ? API_PREFIX + endpoint.path : endpoint.path
}
