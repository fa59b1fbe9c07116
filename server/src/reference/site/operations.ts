import type { CodeSample } from '../code-samples.ts'
import { nameIn } from '../fields-page.ts'
import type { JsonSchema, OpenApi, Operation, Parameter } from '../openapi.ts'

/** An operation of the OpenAPI document with its references resolved, as a page shows it. */
export interface SiteOperation {
  /** Unique, such as `listEntries`. */
  id: string
  method: string
  path: string
  summary: string
  description: string | undefined
  access: 'open' | 'key' | 'operator'
  operation: Operation
  parameters: Parameter[]
  body: { schema: JsonSchema; description: string | undefined; example: unknown } | undefined
  answer: { schema: JsonSchema; example: unknown; description: string; kind: 'envelope' | 'stream' | 'file' }
  samples: readonly CodeSample[]
}

/** The operations that share a page. */
export interface Group {
  /** Last part of the path of the page. */
  name: string
  title: string
  description: string
  operations: SiteOperation[]
}

interface Content {
  description: string
  content: Record<string, { schema: JsonSchema; example?: unknown }>
}

const TITLES: Record<string, string> = { sec: 'SEC filings', admin: 'Operator API' }
/** The endpoints outside of the API share a page. */
const SERVICE_TAGS = ['service', 'health', 'ready']

export function groupsOf(openApi: OpenApi): Group[] {
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(openApi, method.toUpperCase(), path, operation)),
  )
  const names = [...new Set(openApi.tags.map(({ name }) => pageOf(name)))]
  const groups = names.map((name) => ({
    name,
    title: TITLES[name] ?? capitalised(name.replaceAll('-', ' ')),
    description: openApi.tags.find((tag) => tag.name === name)?.description ?? '',
    operations: operations.filter(({ operation }) => operation.tags.some((tag) => pageOf(tag) === name)),
  }))
  // Readers come for the data.
  const isLast = ({ name }: Group) => (name === 'service' ? 1 : 0)
  return groups.toSorted((a, b) => isLast(a) - isLast(b))
}

const pageOf = (tag: string) => (SERVICE_TAGS.includes(tag) ? 'service' : tag)
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function operationOf(openApi: OpenApi, method: string, path: string, operation: Operation): SiteOperation {
  const body = operation.requestBody as Content | undefined
  const sent = body?.content['application/json']
  const [response] = Object.values(operation.responses) as Content[]
  const [[type, answer] = []] = Object.entries(response?.content ?? {})
  const [security] = operation.security
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description: operation.description,
    access: security === undefined ? 'open' : 'apiKey' in security ? 'key' : 'operator',
    operation,
    parameters: operation.parameters.map((parameter) =>
      '$ref' in parameter ? (openApi.components.parameters[nameIn(parameter.$ref)] as Parameter) : parameter,
    ),
    body: sent && { schema: sent.schema, description: body?.description, example: sent.example },
    answer: {
      schema: answer?.schema ?? {},
      example: answer?.example,
      description: response?.description ?? '',
      kind:
        type === 'text/event-stream' || '101' in operation.responses
          ? 'stream'
          : type === 'application/json'
            ? 'envelope'
            : 'file',
    },
    samples: operation['x-codeSamples'] ?? [],
  }
}
