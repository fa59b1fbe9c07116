import type { AnyEndpoint } from '../http/endpoint.ts'
import { accountEndpoints } from './account/endpoints.ts'
import { adminEndpoints } from './admin/endpoints.ts'
import { assetsEndpoints } from './assets/endpoints.ts'
import { billingEndpoints } from './billing/endpoints.ts'
import { returnPages } from './billing/return-pages.ts'
import { sandboxPages } from './billing/sandbox-pages.ts'
import { webhookEndpoint } from './billing/webhook.ts'
import { changesEndpoints } from './changes/endpoints.ts'
import { clustersEndpoints } from './clusters/endpoints.ts'
import { dashboardEndpoints } from './dashboard/endpoints.ts'
import { dashboardPages } from './dashboard/pages.ts'
import { entriesEndpoints } from './entries/endpoints.ts'
import { exportEndpoints } from './export/endpoints.ts'
import { marketsEndpoints } from './markets/endpoints.ts'
import { mcpEndpoints } from './mcp/endpoints.ts'
import { openbbEndpoints } from './openbb/endpoints.ts'
import { predictionMarketsEndpoints } from './prediction-markets/endpoints.ts'
import { publishersEndpoints } from './publishers/endpoints.ts'
import { secEndpoints } from './sec/endpoints.ts'
import { serviceEndpoints } from './service/endpoints.ts'
import { referencePages } from './service/reference-pages.ts'
import type { Services } from './services.ts'
import { signalsEndpoints } from './signals/endpoints.ts'
import { statsEndpoints } from './stats/endpoints.ts'
import { topicsEndpoints } from './topics/endpoints.ts'

const dataEndpoints = [
  ...entriesEndpoints,
  ...assetsEndpoints,
  ...topicsEndpoints,
  ...publishersEndpoints,
  ...clustersEndpoints,
  ...marketsEndpoints,
  ...predictionMarketsEndpoints,
  ...secEndpoints,
  ...exportEndpoints,
  ...signalsEndpoints,
  ...changesEndpoints,
  ...statsEndpoints,
].map((endpoint) => ({ ...endpoint, readsData: true }))

/** Every endpoint. Routes, metering, reference and tests are derived from this list. */
export const endpoints: readonly AnyEndpoint<Services>[] = [
  ...serviceEndpoints,
  ...referencePages,
  ...dashboardPages,
  ...dataEndpoints,
  ...accountEndpoints,
  ...billingEndpoints,
  ...mcpEndpoints,
  ...openbbEndpoints,
  webhookEndpoint,
  ...returnPages,
  ...sandboxPages,
  ...dashboardEndpoints,
  ...adminEndpoints,
]
