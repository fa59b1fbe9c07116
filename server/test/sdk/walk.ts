/** A call of every endpoint, for the clients in sdk/. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../../src/api/index.ts'
import type { Services } from '../../src/api/services.ts'
import { type AnyEndpoint, hasEnvelope } from '../../src/http/endpoint.ts'
import type { OpenApi } from '../../src/reference/openapi.ts'
import { sdkMethods } from '../../src/reference/sdk-model.ts'
import { adminFixtureOf, fixtureOf, nameOf } from '../endpoint-fixtures.ts'
import type { TestService } from '../harness.ts'

const ROOT = join(import.meta.dirname, '../../..')
export const SDK = join(ROOT, 'sdk')

const openApi: OpenApi = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))

export const methods = sdkMethods(endpoints, openApi)

/** A call as data, so that clients in other processes can make it. */
export interface PlannedCall {
  name: string
  client: 'data' | 'admin'
  /** API key or admin token. */
  token: string
  /** Such as `sec`, `insiderTrades`, `list`. */
  method: readonly string[]
  /** Values of the parameters in the path. */
  args: readonly string[]
  params: object | null
  /** Whether the client returns a page. */
  isList: boolean
}

/** Settings with which a service can answer all planned calls. */
export const WALK_ENV = { SAMPLE_DATA: 'on', SOURCES_RUN: 'off' }

/** Returns a call of every endpoint except streams, each with an account of its own. */
export async function planCalls(service: TestService): Promise<PlannedCall[]> {
  const calls: PlannedCall[] = []
  for (const { client, endpoint, resource, method, kind } of methods) {
    if (!hasEnvelope(endpoint.returns)) continue
    const account = await service.open('enterprise', 1_000)
    const { path, options } = await (client === 'admin' ? adminFixtureOf : fixtureOf)(endpoint, service, account)
    calls.push({
      name: nameOf(endpoint),
      client,
      token: client === 'admin' ? service.mintick.adminToken : account.key,
      method: [...resource, method],
      args: valuesIn(path, endpoint),
      params: (options.body as object | undefined) ?? queryOf(path),
      isList: kind === 'list',
    })
  }
  // It takes the records of the other calls away.
  const isLast = ({ name }: PlannedCall) => name === 'POST /admin/sample/clear'
  return [...calls.filter((call) => !isLast(call)), ...calls.filter(isLast)]
}

export function endpointNamed(name: string): AnyEndpoint<Services> {
  const found = endpoints.find((endpoint) => nameOf(endpoint) === name)
  if (found === undefined) throw new Error(`there is no endpoint ${name}`)
  return found
}

function queryOf(path: string): Record<string, string> | null {
  const [, query] = path.split('?')
  return query === undefined ? null : Object.fromEntries(new URLSearchParams(query))
}

function valuesIn(path: string, endpoint: AnyEndpoint<Services>): string[] {
  const values = path.replace(/\?.*/, '').split('/')
  return endpoint.path.split('/').flatMap((segment, index) => (segment.startsWith(':') ? [values[index] ?? ''] : []))
}
