import Type from 'typebox'
import { API_PREFIX } from '../../http/endpoint.ts'
import { EXPOSITION_TYPE } from '../../metrics/exposition.ts'
import { ApiError } from '../../model/errors.ts'
import { integer, text, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { endpoint } from '../services.ts'
import { packagedFile } from './packaged-file.ts'
import { StatusView } from './status.ts'
import { statusPage } from './status-page.ts'

export const STATUS_PATH = '/status'
const OPENAPI_PATH = '/openapi.json'
export const PYTHON_CLIENT_PATH = '/sdk/mintick.py'

/** The two open endpoints of spec 4.1, and those for load balancers, tools and Prometheus. */
export const serviceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/',
    access: 'open',
    summary: 'Get the name and version of this server',
    pageForBrowsers: '/dashboard',
    cost: { credits: 0 },
    returns: 'object',
    data: Type.Object(
      {
        name: text('Name of the software'),
        version: text('Version of the software'),
        links: Type.Object(
          {
            entries: text('Path of the list of entries'),
            health: text('Path of the health check'),
            openapi: text('Path of the description of this API in OpenAPI'),
          },
          { description: 'Paths to start from' },
        ),
      },
      { description: 'This server' },
    ),
    handle(_input, { version }) {
      const links = { entries: `${API_PREFIX}/entries`, health: '/health', openapi: OPENAPI_PATH }
      return { name: 'Mintick', version, links }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/health',
    access: 'open',
    isOpenOnAdminPort: true,
    summary: 'Check whether this server runs',
    description: 'Checks nothing else, so that a restart would help if it fails. `/ready` checks the store.',
    cost: { credits: 0 },
    returns: 'object',
    data: Type.Object(
      {
        status: Type.Literal('ok', { description: 'Always ok' }),
        uptimeSeconds: integer('Seconds since the server started'),
        time: time('Time of the server'),
      },
      { description: 'Health of this server' },
    ),
    handle(_input, { clock, startedAt }) {
      const now = clock.now()
      return { status: 'ok' as const, uptimeSeconds: Math.floor((now - startedAt) / 1_000), time: isoTime(now) }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/ready',
    access: 'open',
    isOpenOnAdminPort: true,
    summary: 'Check whether this server can serve charged requests',
    description:
      'For load balancers. 503 if the store cannot be read or written, or if the server is shutting down. The operator, who sends the admin token, is told why.',
    cost: { credits: 0 },
    errors: { 503: 'This server cannot serve charged requests.' },
    returns: 'object',
    data: Type.Object(
      {
        status: Type.Literal('ready', { description: 'Always ready; a server that is not answers with status 503' }),
        olderEntries: integer(
          'Entries that were read by older rules, until they are reindexed; at most 10 seconds old',
        ),
      },
      { description: 'Readiness of this server' },
    ),
    async handle({ isOperator }, { readiness, reindex }) {
      const problems = await readiness.problems()
      if (problems.length === 0) return { status: 'ready' as const, olderEntries: await reindex.countOlder() }
      const isTold = await isOperator().catch(() => false)
      const reason = isTold ? `: ${problems.join('; ')}` : ''
      throw new ApiError('INTERNAL_ERROR', `This server is not ready${reason}`, { statusCode: 503 })
    },
  }),

  endpoint({
    method: 'GET',
    path: STATUS_PATH,
    access: 'open',
    summary: 'Get the uptime of this service and how current its data is',
    description: 'A page for clients that ask for HTML. STATUS_PAGE=off removes it. 503 if the server is not ready.',
    pageForBrowsers: statusPage,
    cost: { credits: 0 },
    errors: { 503: 'This server cannot serve charged requests.' },
    returns: 'object',
    data: StatusView,
    async handle(_input, { readiness, status }) {
      if ((await readiness.problems()).length === 0) return status.read()
      throw new ApiError('INTERNAL_ERROR', 'This server is not ready', { statusCode: 503 })
    },
  }),

  endpoint({
    method: 'GET',
    path: OPENAPI_PATH,
    access: 'open',
    summary: 'Get the description of this API in OpenAPI',
    cost: { credits: 0 },
    returns: 'text',
    data: text('An OpenAPI document'),
    handle: packagedFile('openapi.json', 'application/json'),
  }),

  endpoint({
    method: 'GET',
    path: PYTHON_CLIENT_PATH,
    access: 'open',
    summary: 'Get the Python client of this version',
    cost: { credits: 0 },
    returns: 'text',
    data: text('A Python module'),
    handle: packagedFile('sdk/python/mintick.py', 'text/x-python'),
  }),

  endpoint({
    method: 'GET',
    path: '/metrics',
    access: 'operator',
    operatorScope: 'read',
    isOpenOnAdminPort: true,
    summary: 'Get the metrics of this instance for Prometheus',
    cost: { credits: 0 },
    returns: 'text',
    data: text('Metrics in the text format of Prometheus'),
    handle: async (_input, { metrics }) => ({ type: EXPOSITION_TYPE, text: await metrics.text() }),
  }),
]
