import Type from 'typebox'
import { DEMO_KEY } from '../../admission/key.ts'
import { API_PREFIX } from '../../http/endpoint.ts'
import type { Relay, Reply } from '../../http/relay.ts'
import { pathOf } from '../../mcp/api.ts'
import { ApiError } from '../../model/errors.ts'
import { endpoint } from '../services.ts'
import { appsJson, requestOf, rowsOf, WIDGETS, type Widget, widgetsJson } from './widgets.ts'

/** Where OpenBB Workspace and its add-in for Excel run; other origins need CORS_ORIGINS. */
const OPENBB_ORIGINS = ['https://pro.openbb.co', 'https://excel.openbb.co']

const shared = {
  method: 'GET',
  access: 'relay',
  origins: OPENBB_ORIGINS,
  cost: { credits: 0 },
  returns: 'reply',
  data: Type.Unknown(),
} as const

/** The backend that OpenBB Workspace expects at an address: descriptions of widgets, and their data. */
export const openbbEndpoints = [
  endpoint({
    ...shared,
    path: '/openbb/widgets.json',
    summary: 'Get the widgets for OpenBB Workspace',
    handle: () => json(200, widgetsJson),
  }),

  endpoint({
    ...shared,
    path: '/openbb/apps.json',
    summary: 'Get the app for OpenBB Workspace',
    handle: () => json(200, appsJson),
  }),

  endpoint({
    ...shared,
    path: '/openbb/:widget',
    summary: 'Get the rows of a widget for OpenBB Workspace',
    params: Type.Object({ widget: Type.String() }),
    handle({ params, relay }) {
      const widget = Object.hasOwn(WIDGETS, params.widget) ? WIDGETS[params.widget] : undefined
      if (widget === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget; widgets.json lists them')
      return serveWidget(widget, relay)
    },
  }),
]

async function serveWidget(widget: Widget, relay: Relay): Promise<Reply> {
  const request = requestOf(widget, relay.query)
  const { status, headers, text } = await relay.call(API_PREFIX + pathOf(request, relay.key === DEMO_KEY))
  const body = JSON.parse(text)
  // Workspace shows people the detail of an error.
  if (status !== 200) return json(status, { ...body, detail: body.error.message }, headers)
  return json(200, rowsOf(widget, body.data), headers)
}

/** Headers of the API's answer that callers of a widget may need. */
const PASSED_HEADERS = /^(x-request-id|x-credits-|ratelimit|retry-after|www-authenticate|x-ignored-parameters|x-notice)/

function json(status: number, body: unknown, headers: Reply['headers'] = {}): Reply {
  const passed = Object.entries(headers).filter(([name]) => PASSED_HEADERS.test(name))
  return {
    status,
    headers: { ...Object.fromEntries(passed), 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify(body),
  }
}
