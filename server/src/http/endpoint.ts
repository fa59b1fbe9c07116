import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../admission/caller.ts'
import type { OperatorRequest } from '../admission/operator-request.ts'
import type { RateVerdict } from '../admission/rate.ts'
import type { ApiError } from '../model/errors.ts'
import type { Json } from '../model/json.ts'
import type { OperatorScope } from '../model/operators.ts'
import type { CursorPage, OffsetPage, Position, WrittenPage } from '../model/paging.ts'
import type { Selection } from '../model/selection.ts'
import type { SignedIn } from '../model/users.ts'
import type { Cost } from '../plans/cost.ts'
import type { Feature } from '../plans/plans.ts'
import type { Download, DownloadRequest } from './download.ts'
import { withFields } from './fields.ts'
import type { HtmlAnswer } from './html-page.ts'
import type { Relay, Reply } from './relay.ts'
import type { Visit } from './visit.ts'
import type { Streaming } from './wire.ts'

/**
 * Required authentication: none, an API key, a token of the operator, or a signed body, which the handler verifies. The
 * dashboard's own requests need a session, or none (`visitor`); both must come from its pages. A `relay` answers clients of
 * other protocols by requests to the API, which need a key.
 */
export type Access = 'open' | 'key' | 'operator' | 'signed' | 'visitor' | 'session' | 'relay'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Responses that stay open until one side ends them. */
export type StreamKind = 'event-stream' | 'websocket'

/**
 * The shape of a response. Spec 2.7 defines the three kinds of paged lists; the endpoint of a series, a list in the order
 * of time, defines its `meta`. A text is sent as it is, and so is a reply, which has a status and headers of its own, and a
 * file, whose parameters must all be known.
 */
export type Returns =
  | 'object'
  | 'list'
  | 'series'
  | 'cursor-list'
  | 'offset-list'
  | 'page-list'
  | 'html'
  | 'text'
  | 'download'
  | 'reply'
  | StreamKind

interface Input<A extends Access, Params, Query, Body, R extends Returns> {
  params: Params
  query: Query
  /** Signed endpoints receive the raw text. */
  body: A extends 'signed' ? string : Body
  caller: A extends 'key' ? Caller : undefined
  /** Whether a request without a key has a token of the operator. */
  isOperator: A extends 'open' ? () => Promise<boolean> : undefined
  operator: A extends 'operator' ? OperatorRequest : undefined
  /** Returns a request header; its name is case-insensitive. */
  header: A extends 'signed' ? HeaderOf : R extends 'download' ? HeaderOf : undefined
  /** The browser of a request of the dashboard. */
  visit: A extends 'visitor' | 'session' ? Visit : undefined
  /** The session and its user; of a visitor only if there is one. */
  signedIn: A extends 'session' ? SignedIn : A extends 'visitor' ? SignedIn | undefined : undefined
  relay: A extends 'relay' ? Relay : undefined
  /** Method and path, the name under which usage is counted. */
  endpoint: string
  /** The request for a file. */
  request: R extends 'download' ? DownloadRequest : undefined
  /** The fields that the parameter `fields` selects; of other answers they are selected later. */
  selection: R extends 'download' ? Selection | undefined : undefined
  /** Returns what would become of another request of the caller. */
  assess: A extends 'key' ? Assess : undefined
  page: R extends 'cursor-list'
    ? { limit: number; from: Position | undefined }
    : R extends 'offset-list' | 'page-list'
      ? { limit: number; offset: number }
      : undefined
}

type HeaderOf = (name: string) => string | undefined

/** Returns the verdict on a request by this URL below the root of the service, without running or counting it. */
export type Assess = (caller: Caller, method: string, url: string) => Promise<Assessment>

export interface Assessment {
  /** Undefined if no endpoint matches. */
  endpoint: AnyEndpoint<never> | undefined
  /** The parsed parameters; undefined if the request is refused before they are parsed, or for them. */
  query: Record<string, unknown> | undefined
  /** The effective cost, if the request is not refused before it is known. */
  cost: number
  rate: RateVerdict
  refusal: ApiError | undefined
}

type Output<R extends Returns, Data, Meta> = R extends 'cursor-list'
  ? CursorPage<Data>
  : R extends 'offset-list' | 'page-list'
    ? OffsetPage<Data> | WrittenPage<Data>
    : R extends 'list'
      ? Data[] | Json<Data[]>
      : R extends 'series'
        ? { data: Json<Data[]>; meta: Meta }
        : R extends StreamKind
          ? Streaming
          : R extends 'html'
            ? HtmlAnswer
            : R extends 'text'
              ? { type: string; text: string }
              : R extends 'reply'
                ? Reply
                : R extends 'download'
                  ? Download
                  : Data | Json<Data>

/** An endpoint as data: routes, admission, the reference and tests are derived from it. */
interface Endpoint<
  Services,
  A extends Access = Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject = TObject,
  D extends TSchema = TSchema,
  R extends Returns = Returns,
  M extends TObject = TObject,
> {
  method: A extends 'signed' ? 'POST' : Method
  /** Relative to /api/v1 for endpoints with an API key, absolute for others. */
  path: `/${string}`
  access: A
  summary: string
  description?: string
  /** The only place where the cost is declared. */
  cost: Cost
  needs?: Feature
  /** The scope that the operator's token needs. */
  operatorScope?: OperatorScope
  /** Of a GET of the operator API: whether its success is in the audit trail, as it is for all other methods. */
  isAudited?: boolean
  refusesDemo?: boolean
  /** Whether it only reads data that no caller writes, so that a replica may answer. */
  readsData?: boolean
  /** Errors of the handler that do not follow from the other properties, by status, each with its condition. */
  errors?: { readonly [Status in 404 | 416 | 503]?: string }
  /** Where the operator API has a port of its own, it serves this one too, without a token. */
  isOpenOnAdminPort?: boolean
  /** Of an open endpoint: where clients that ask for HTML are sent, or the page that shows them the object. */
  pageForBrowsers?: `/${string}` | ((data: Static<D>) => string)
  /** Of a relay: origins whose pages may call it, besides those of CORS_ORIGINS. */
  origins?: readonly string[]
  params?: P
  query?: Q
  /** Parameters that are refused rather than ignored, such as those of the list whose changes a stream sends. */
  refusesParams?: readonly string[]
  /** JSON, or for an HTML page a form, whose fields are strings. */
  body?: B
  returns: R
  /** Schema of the object, of a list item, or of a stream event; HTML_ANSWER for a page. */
  data: D
  /** Schema of the meta of a series. */
  meta?: M
  handle(
    input: Input<A, Static<P>, Static<Q>, Static<B>, R>,
    services: Services,
  ): Output<R, Static<D>, Static<M>> | Promise<Output<R, Static<D>, Static<M>>>
}

/** An endpoint with its types erased, so that one list holds all. The types were checked at its definition. */
export type AnyEndpoint<Services> = Omit<Endpoint<Services>, 'handle' | 'pageForBrowsers'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the list holds endpoints of every shape
  pageForBrowsers?: `/${string}` | ((data: any) => string)
  // biome-ignore lint/suspicious/noExplicitAny: the list holds endpoints of every shape
  handle(input: any, services: Services): any
}

/** An endpoint of the operator API must declare its scope. */
type Declared<A extends Access> = A extends 'operator' ? { operatorScope: OperatorScope } : { operatorScope?: never }

/** Returns a function that defines endpoints over these services and infers types from their schemas. */
export function endpointFactory<Services>() {
  return function endpoint<
    const A extends Access,
    D extends TSchema,
    const R extends Returns,
    P extends TObject = TObject,
    Q extends TObject = TObject,
    B extends TObject = TObject,
    M extends TObject = TObject,
  >(definition: Endpoint<Services, A, P, Q, B, D, R, M> & Declared<A>): AnyEndpoint<Services> {
    return withFields<AnyEndpoint<Services>>(definition)
  }
}

export function isStream(returns: Returns): returns is StreamKind {
  return returns === 'event-stream' || returns === 'websocket'
}

/** Whether answers have the envelope of spec 1: neither a stream nor a file has it. */
export const hasEnvelope = (returns: Returns): boolean => !isStream(returns) && returns !== 'download'

/** Whether the endpoint serves requests of the dashboard, which cookies authenticate. */
export const isOfDashboard = ({ access }: AnyEndpoint<never>): boolean => access === 'visitor' || access === 'session'

/**
 * Whether the reference lists the endpoint: pages, texts, the endpoints of signed bodies, those of the dashboard and
 * relays are not for API callers.
 */
export function isInReference(endpoint: AnyEndpoint<never>): boolean {
  const { access, returns } = endpoint
  return (
    access !== 'signed' && access !== 'relay' && !isOfDashboard(endpoint) && returns !== 'html' && returns !== 'text'
  )
}

/** Returns the HTTP methods that the endpoint answers. */
export const methodsOf = ({ method, returns, origins }: AnyEndpoint<never>): string[] => [
  ...(method === 'GET' && !isStream(returns) ? ['GET', 'HEAD'] : [method]),
  // Preflights of origins that only this endpoint allows.
  ...(origins === undefined ? [] : ['OPTIONS']),
]

export const API_PREFIX = '/api/v1'

export function routeOf(endpoint: AnyEndpoint<never>): string {
  return endpoint.access === 'key' ? API_PREFIX + endpoint.path : endpoint.path
}
