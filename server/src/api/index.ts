import type { AnyEndpoint } from '../http/endpoint.ts'
import { accountEndpoints } from './account/endpoints.ts'
import { entriesEndpoints } from './entries/endpoints.ts'
import { marketsEndpoints } from './markets/endpoints.ts'
import { serviceEndpoints } from './service/endpoints.ts'
import type { Services } from './services.ts'
import { statsEndpoints } from './stats/endpoints.ts'

/** Every endpoint that callers can reach. Routes, metering, reference and tests are made from this list. */
export const endpoints: readonly AnyEndpoint<Services>[] = [
  ...serviceEndpoints,
  ...entriesEndpoints,
  ...marketsEndpoints,
  ...statsEndpoints,
  ...accountEndpoints,
]
