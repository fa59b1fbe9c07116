import type { Admission } from '../admission/admit.ts'
import type { Clock } from '../clock.ts'
import { endpointsOver } from '../http/endpoint.ts'
import type { Store } from '../store/store.ts'

/** What handlers work with. */
export interface Services {
  store: Store
  admission: Admission
  clock: Clock
  pepper: string
  version: string
  startedAt: number
}

export const endpoint = endpointsOver<Services>()
