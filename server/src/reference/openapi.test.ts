import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { endpoints } from '../api/index.ts'
import { hasRequired } from '../http/body.ts'
import { type AnyEndpoint, endpointFactory, hasEnvelope, isInReference, routeOf } from '../http/endpoint.ts'
import { HTML_ANSWER } from '../http/html-page.ts'
import { cursorMeta, offsetMeta, pageMeta } from '../http/paging.ts'
import * as param from '../http/params.ts'
import { Json } from '../model/json.ts'
import { generate } from './generate.ts'
import { type JsonSchema, type OpenApi, type Operation, openApiOf, type Parameter } from './openapi.ts'
import { endpointsPage } from './pages.ts'

const all: readonly AnyEndpoint<never>[] = endpoints.filter(isInReference)
const info = { title: 'Mintick', version: '0.0.0', description: '', license: { name: 'MIT', identifier: 'MIT' } }
/** As readers get it. */
const document: OpenApi = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('the generated files are up to date: a new recording gives the same examples', async () => {
  assert.ok(await generate(true), 'run "npm run generate"')
})

test('every operation has an example, whose request and answer fit their schemas', () => {
  for (const endpoint of all) {
    const operation = operationAt(document, endpoint)
    const name = operation.operationId
    assert.match(operation['x-codeSamples']?.[0]?.source ?? '', /^(curl |import WebSocket )/, name)
    const [response] = Object.values(operation.responses)
    assert.ok(response !== undefined && 'content' in response, name)
    const [media] = Object.values(response.content as Record<string, { example: { data: unknown } }>)
    const items = !hasEnvelope(endpoint.returns) ? [media?.example] : [media?.example.data].flat()
    assert.ok(items.length > 0, `${name} has an empty example`)
    assertFits(endpoint.data, items)
    if (endpoint.body === undefined || !hasRequired(endpoint.body)) continue
    const { content } = operation.requestBody as { content: Record<string, { example: unknown }> }
    assertFits(endpoint.body, [content['application/json']?.example])
  }
})

function assertFits(schema: TSchema, values: readonly unknown[]): void {
  const check = Compile(schema)
  for (const value of values) assert.ok(check.Check(value), JSON.stringify(check.Errors(value).slice(0, 3)))
}

test("the document is valid by Redocly's recommended rules, with one warning each: a WebSocket has no 2XX answer", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  assert.deepEqual(
    problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`),
    ['entries', 'signals'].map((noun) => `operation-2xx-response #/paths/~1api~1v1~1${noun}~1ws/get/responses`),
  )
})

test('the document is valid for swagger-parser, which resolves every reference', async () => {
  // It replaces references by their targets.
  await SwaggerParser.validate(structuredClone(document) as never)
})

test('every endpoint is in the document, with its cost and what it needs', () => {
  assert.equal(operations.length, all.length)
  for (const endpoint of all) {
    const operation = operationAt(document, endpoint)
    assert.equal(operation['x-credits'].base, endpoint.cost.credits, routeOf(endpoint))
    assert.equal(operation['x-needs'], endpoint.needs)
    assert.equal(operation['x-operator-scope'], endpoint.operatorScope)
  }
})

test('pages and signed bodies are neither in the document nor in the reference', () => {
  const shared = { cost: { credits: 0 }, summary: 'Of no concern to callers' }
  const endpoint = endpointFactory<never>()
  const hidden = [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/shown',
      access: 'open',
      returns: 'html',
      data: HTML_ANSWER,
      handle: () => ({ html: '' }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/told',
      access: 'signed',
      returns: 'object',
      data: Type.Null(),
      handle: () => null,
    }),
  ]
  assert.deepEqual(openApiOf([...all, ...hidden], info), openApiOf(all, info))
  assert.equal(endpointsPage([...all, ...hidden], []), endpointsPage(all, []))
})

test('operation ids are unique identifiers', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual([...new Set(ids)], ids)
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]*$/)
  for (const id of ['listEntries', 'getEntry', 'createAccountApiKey', 'deleteAccountApiKey', 'getStats']) {
    assert.ok(ids.includes(id), id)
  }
})

test('every reference leads to something, and every shared part is referred to', () => {
  const refs = new Set<string>()
  walk(document, (node) => {
    if ('$ref' in node) refs.add(String(node.$ref))
  })
  const parts = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `#/components/${kind}/${name}`))
  for (const ref of refs) assert.ok(parts.includes(ref), `${ref} leads nowhere`)
  const unused = parts.filter((part) => !refs.has(part))
  // PageMeta and errors wait for endpoints that give them; a resource that nothing gives would be a mistake.
  assert.deepEqual(
    unused.filter((part) => !/Meta$|\/responses\//.test(part)),
    [],
  )
})

test('path parameters are declared and required, and no parameter is declared twice', () => {
  for (const { path, operation } of operations) {
    const parameters = parametersIn(document, operation)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(
      inPath.map(({ name }) => name),
      expected,
      path,
    )
    assert.ok(inPath.every(({ required }) => required))
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    assert.equal(new Set(names).size, names.length, path)
    assert.ok(!path.includes(':'), path)
  }
})

test('every operation has the fields OpenAPI asks for, and security that exists', () => {
  const schemes = Object.keys(document.components.securitySchemes)
  for (const { method, path, operation } of operations) {
    const where = `${method} ${path}`
    assert.ok(['get', 'post', 'patch', 'delete'].includes(method), where)
    for (const response of Object.values(operation.responses)) {
      assert.ok('$ref' in response || 'description' in response, where)
    }
    for (const parameter of parametersIn(document, operation)) assert.ok(parameter.schema, where)
    for (const scheme of operation.security.flatMap((security) => Object.keys(security))) {
      assert.ok(schemes.includes(scheme), where)
    }
  }
})

test('open endpoints name no key errors, the operator no credits, a free call no 402', () => {
  assert.deepEqual(statusesAt('GET', '/'), ['200', '304', '400', '500'])
  assert.deepEqual(statusesAt('GET', '/ready'), ['200', '304', '400', '500', '503'])
  assert.deepEqual(statusesAt('PATCH', '/admin/accounts/:id'), ['200', '400', '401', '403', '404', '429', '500'])
  assert.deepEqual(statusesAt('GET', '/entries'), ['200', '304', '400', '401', '402', '403', '429', '500'])
  assert.deepEqual(statusesAt('DELETE', '/account/api-keys/:id'), ['200', '400', '401', '403', '404', '429', '500'])
  assert.deepEqual(statusesAt('DELETE', '/billing/subscription'), ['200', '400', '401', '403', '404', '429', '500'])
  const streamed = ['400', '401', '402', '403', '429', '500', '503']
  assert.deepEqual(statusesAt('GET', '/signals/stream'), ['200', ...streamed])
  assert.deepEqual(statusesAt('GET', '/signals/ws'), ['101', ...streamed])
})

test('parameters that several operations share are written once', () => {
  const texts = operations.flatMap(({ operation }) =>
    operation.parameters.map((parameter) => JSON.stringify(parameter)),
  )
  const repeated = texts.filter((text, place) => !text.startsWith('{"$ref"') && texts.indexOf(text) !== place)
  assert.deepEqual(repeated, [])
})

test('every tag is described', () => {
  for (const { name, description } of document.tags) assert.ok(description, name)
})

test('the described meta of each kind of list has exactly the fields that are sent', () => {
  const applied = { scope: () => ({ list: 'entries', filters: 0 }), limit: 3, sort: '', query: null, plan: 'free' }
  const page = { data: [], totalCount: 0 }
  const cursorPage = {
    ...page,
    data: Json.text<unknown[]>('[]'),
    count: 0,
    hasMore: false,
    hasPrev: false,
    first: null,
    last: null,
    mode: 'words' as const,
  }
  const sent = {
    CursorMeta: cursorMeta(cursorPage, applied),
    OffsetMeta: offsetMeta(page, 3, 0),
    PageMeta: pageMeta(page, 1, applied),
  }
  for (const [name, meta] of Object.entries(sent)) {
    const schema: JsonSchema | undefined = document.components.schemas[name]
    assert.deepEqual(Object.keys(schema?.properties ?? {}), Object.keys(meta), name)
  }
})

test('every field, parameter, body and object has a description', () => {
  assert.deepEqual([...undescribed(document)], [])
})

test('the description of a field that may be null is on the field itself', () => {
  const nullable: JsonSchema[] = []
  walk(document, (node: JsonSchema) => {
    if (node.anyOf?.some(({ type }) => type === 'null')) nullable.push(node)
  })
  assert.ok(nullable.length > 0)
  assert.deepEqual(
    nullable.filter(({ anyOf = [] }) => anyOf.some(({ description }) => description !== undefined)),
    [],
  )
})

test('a dearer parameter is named with what it costs', () => {
  const dear = describe({ limit: param.limit(), query: param.query() })
  assert.deepEqual(dear['x-credits'], { base: 1, with: { parameter: 'query', credits: 2 } })
})

test('a list parameter is separated by commas and keeps its marks', () => {
  const [parameter] = parametersIn(document, describe({ assetKey: param.ownKey(param.textList('Key', 'upper')) }))
  assert.ok(parameter)
  const { style, explode, required, schema } = parameter
  assert.deepEqual({ style, explode, required }, { style: 'form', explode: false, required: false })
  assert.equal(parameter['x-own-key'], true)
  assert.equal(schema.description, undefined)
  assert.deepEqual(schema.items, { type: 'string', maxLength: 1_000, 'x-letters': 'upper' })
})

/** An endpoint of these parameters as the document describes it. */
function describe(properties: Parameters<typeof Type.Object>[0]): Operation {
  const endpoint = endpointFactory<unknown>()({
    method: 'GET',
    path: '/things',
    access: 'key',
    summary: 'Things',
    cost: { credits: 1, with: { param: 'query', credits: 2 } },
    query: Type.Object(properties),
    returns: 'list',
    data: Type.Object({}),
    handle: () => [],
  })
  return operationAt(openApiOf([endpoint], info), endpoint)
}

/** Returns the parameters of an operation with references resolved. */
function parametersIn({ components }: OpenApi, { parameters }: Operation): Parameter[] {
  return parameters.map((parameter) => {
    if (!('$ref' in parameter)) return parameter
    const shared = components.parameters[parameter.$ref.replace(/.*\//, '')]
    assert.ok(shared, parameter.$ref)
    return shared
  })
}

function operationAt({ paths }: OpenApi, endpoint: AnyEndpoint<never>): Operation {
  const path = routeOf(endpoint).replaceAll(/:(\w+)/g, '{$1}')
  const operation = paths[path]?.[endpoint.method.toLowerCase()]
  assert.ok(operation, `${endpoint.method} ${path} is missing`)
  return operation
}

function statusesAt(method: string, path: string): string[] {
  const endpoint = all.find((candidate) => candidate.method === method && candidate.path === path)
  assert.ok(endpoint, `${method} ${path}`)
  return Object.keys(operationAt(document, endpoint).responses)
}

/** Returns the paths of all places that lack a description. A field that refers to a named object has that of the object. */
function* undescribed(value: unknown, path = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const isDescribed = typeof member !== 'object' || member === null || '$ref' in member || member.description
    const here = `${path}/${name}`
    if (NEEDS_DESCRIPTION.test(here) && !isDescribed) yield here
    yield* undescribed(member, here)
  }
}

/** Fields of schemas, named schemas, parameters, bodies, headers and responses. */
const NEEDS_DESCRIPTION =
  /\/properties\/[^/]+$|^\/components\/(schemas|headers|parameters|responses)\/[^/]+$|\/(parameters|responses)\/\d+$|\/requestBody$/

function walk(value: unknown, visit: (node: object) => void): void {
  if (typeof value !== 'object' || value === null) return
  visit(value)
  for (const member of Object.values(value)) walk(member, visit)
}
