import { endpoint } from '../services.ts'
import { describeStats, StatsView } from '../stats/endpoints.ts'
import { operator } from './operator.ts'

export const statsEndpoint = endpoint({
  ...operator('read'),
  method: 'GET',
  path: '/admin/stats',
  summary: 'Get record counts of this server and hit rates of signals by kind',
  description: 'The same as /api/v1/stats, for operators without an account.',
  returns: 'object',
  data: StatsView,
  handle: (_input, services) => describeStats(services),
})
