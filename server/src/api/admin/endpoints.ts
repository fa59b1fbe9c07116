import type { AnyEndpoint } from '../../http/endpoint.ts'
import type { Services } from '../services.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { auditTrailEndpoint } from './audit-trail-endpoint.ts'
import { entryRemovalEndpoint } from './entry-removal-endpoint.ts'
import { healthEndpoint } from './health-endpoint.ts'
import { importEndpoints } from './import-endpoints.ts'
import { maintenanceEndpoints } from './maintenance-endpoints.ts'
import { paymentEventEndpoints } from './payment-event-endpoints.ts'
import { removalEndpoints } from './removal-endpoints.ts'
import { signInEndpoint } from './sign-in-endpoint.ts'
import { sourceEndpoints } from './source-endpoints.ts'
import { statsEndpoint } from './stats-endpoint.ts'
import { tokenEndpoints } from './token-endpoints.ts'
import { trafficEndpoint } from './traffic-endpoint.ts'

/** The operator API: accounts, plans, credits, the audit of the ledger, loading of data. */
export const adminEndpoints: readonly AnyEndpoint<Services>[] = [
  ...accountEndpoints,
  ...removalEndpoints,
  ...importEndpoints,
  entryRemovalEndpoint,
  ...sourceEndpoints,
  ...tokenEndpoints,
  signInEndpoint,
  auditTrailEndpoint,
  healthEndpoint,
  trafficEndpoint,
  statsEndpoint,
  ...paymentEventEndpoints,
  ...maintenanceEndpoints,
]
