import { type AnyEndpoint, routeOf } from '../http/endpoint.ts'
import { secretsOf } from '../http/idempotent-answer.ts'
import type { ErrorCode } from '../model/errors.ts'
import { CONTROL_EVENTS } from '../model/streams.ts'
import { type MethodName, methodNames } from './method-names.ts'
import { type JsonSchema, type OpenApi, type Operation, parametersOf } from './openapi.ts'

/** The clients in sdk/, before they are written in a language. */

/** A method of a client. */
export interface SdkMethod extends MethodName {
  endpoint: AnyEndpoint<never>
  route: string
  /** Path and query parameters and body fields, by name. */
  params: Record<string, JsonSchema>
  required: readonly string[]
  /** Whether further fields are passed on as they are. */
  isOpen: boolean
  /** Such as `ListEntries`, for types that belong to the method. */
  typeName: string
  /** How the answer is read: as a list page by page, as a stream, or at once. */
  kind: 'list' | 'stream' | 'call'
  /** Schema of an item of a list, of an event of a stream, or else of the data. */
  answer: JsonSchema
  meta: JsonSchema | undefined
  /** The event that a stream hands to the caller; it handles the others itself. */
  event: string | undefined
  /** The field of the answer that is sent only once. */
  secret: string | undefined
  /** What it does and costs. */
  description: string
}

/** An object of a client that has methods and further objects. */
export interface SdkResource {
  /** The names that lead to it; empty for the client itself. */
  path: readonly string[]
  methods: SdkMethod[]
  children: Map<string, SdkResource>
}

/** Returns the document with the description of each schema beside the references to it. */
export function withDescriptions(openApi: OpenApi): OpenApi {
  const schemas: Record<string, JsonSchema> = openApi.components.schemas
  const text = JSON.stringify(openApi, (_, value) =>
    typeof value === 'object' && typeof value?.$ref === 'string'
      ? { description: schemas[refName(value.$ref)]?.description, ...value }
      : value,
  )
  return JSON.parse(text)
}

export function sdkMethods(endpoints: readonly AnyEndpoint<never>[], openApi: OpenApi): SdkMethod[] {
  return [...methodNames(endpoints)].map(([endpoint, name]) => methodOf(endpoint, name, openApi))
}

function methodOf(endpoint: AnyEndpoint<never>, name: MethodName, openApi: OpenApi): SdkMethod {
  const route = routeOf(endpoint)
  const operation = openApi.paths[route.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
  if (operation === undefined) throw new Error(`${endpoint.method} ${route} is not in openapi.json`)
  return {
    ...name,
    endpoint,
    route,
    ...inputOf(endpoint, operation),
    typeName: operation.operationId.charAt(0).toUpperCase() + operation.operationId.slice(1),
    ...outputOf(operation, openApi),
    // Only an answer to POST is repeated.
    secret: endpoint.method === 'POST' ? secretsOf(endpoint)[0] : undefined,
    description: [`${endpoint.summary}.`, endpoint.description, costOf(endpoint)].filter(Boolean).join(' '),
  }
}

interface Content {
  content: Record<string, { schema: JsonSchema }>
}

/** GET has query parameters, POST and PATCH have a body, DELETE has neither: clients rely on it. */
function inputOf(endpoint: AnyEndpoint<never>, operation: Operation) {
  const { method, query, body } = endpoint
  if ((query !== undefined && method !== 'GET') || (body !== undefined && (method === 'GET' || method === 'DELETE')))
    throw new Error(`${operation.operationId} has parameters where its method has none`)
  const inQuery = parametersOf(endpoint).filter((parameter) => parameter.in === 'query')
  const fields = inQuery.map(({ name, schema, description = '' }) => [name, { ...schema, description }] as const)
  const { properties = {}, required = [] } =
    (operation.requestBody as Content | undefined)?.content['application/json']?.schema ?? {}
  return {
    params: { ...Object.fromEntries(fields), ...properties },
    required: [...inQuery.filter((parameter) => parameter.required).map(({ name }) => name), ...required],
    isOpen: body !== undefined && 'additionalProperties' in body && body.additionalProperties === true,
  }
}

function outputOf({ responses }: Operation, openApi: OpenApi): Pick<SdkMethod, 'kind' | 'answer' | 'meta' | 'event'> {
  const { content } = responses[200] as Content
  const event = content['text/event-stream']?.schema
  if (event !== undefined) return { kind: 'stream', answer: event, meta: undefined, event: ownEventOf(event, openApi) }
  const { data = {}, meta } = content['application/json']?.schema.properties ?? {}
  if (meta !== undefined) return { kind: 'list', answer: data.items ?? {}, meta, event: undefined }
  return { kind: 'call', answer: data, meta, event: undefined }
}

function ownEventOf(schema: JsonSchema, { components }: OpenApi): string {
  const union: JsonSchema = components.schemas[refName(schema.$ref ?? '')] ?? {}
  const names = (union.anyOf ?? []).map(({ properties }) => String(properties?.event?.const))
  const own = names.find((name) => !Object.hasOwn(CONTROL_EVENTS, name))
  if (own === undefined) throw new Error(`the stream ${schema.$ref} has no event of its own`)
  return own
}

function costOf({ access, cost: { credits, perMinute, with: costWith }, query }: AnyEndpoint<never>): string {
  if (access !== 'key') return ''
  const more = costWith !== undefined && costWith.param in (query?.properties ?? {})
  const least = perMinute === undefined ? creditsText(credits) : `${creditsText(perMinute)} per minute`
  return `Costs ${least}${more ? `, ${costWith.credits} with ${costWith.param}` : ''}.`
}

const creditsText = (credits: number) => (credits === 0 ? 'nothing' : credits === 1 ? '1 credit' : `${credits} credits`)

/** Resources of the data API that also have methods written by hand, in a class of this name. */
export const HAND_WRITTEN: Record<string, string> = { exports: 'Exports' }

/** Returns the tree of the objects of a client. */
export function resourceTree(methods: readonly SdkMethod[]): SdkResource {
  const root: SdkResource = { path: [], methods: [], children: new Map() }
  for (const method of methods) {
    let resource = root
    for (const [index, name] of method.resource.entries()) {
      const child = resource.children.get(name) ?? {
        path: method.resource.slice(0, index + 1),
        methods: [],
        children: new Map(),
      }
      resource.children.set(name, child)
      resource = child
    }
    resource.methods.push(method)
  }
  return root
}

/** Returns a resource and all below it, the lowest first. */
export function listResources(resource: SdkResource): SdkResource[] {
  return [...[...resource.children.values()].flatMap(listResources), resource]
}

/** Returns the names of the schemas that the methods refer to, also through other schemas. */
export function usedSchemas(methods: readonly SdkMethod[], { components }: OpenApi): Set<string> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value && typeof value.$ref === 'string' && !used.has(refName(value.$ref))) {
      used.add(refName(value.$ref))
      visit(components.schemas[refName(value.$ref)])
    }
    for (const member of Object.values(value)) visit(member)
  }
  for (const { params, answer, meta } of methods) visit([params, answer, meta])
  return used
}

export const refName = (ref: string): string => ref.replace(/.*\//, '')

/** Returns the name of the class of an error code, such as `NotFoundError`. */
export function errorClassOf(code: ErrorCode): string {
  const words = code.replace(/_ERROR$/, '').split('_')
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`
}

/** Returns the type name of a resource, such as `SecInsiderTrades`. */
export const pascalOf = (path: readonly string[]): string =>
  path.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('')

/** Returns the description of a resource, such as `The endpoints of sec insider trades.` */
export const aboutResource = (path: readonly string[]) =>
  `The endpoints of ${path.join(' ').replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)}.`
