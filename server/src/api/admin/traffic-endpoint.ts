import { hostname } from 'node:os'
import Type from 'typebox'
import { integer, nullable, number, text, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { endpoint } from '../services.ts'
import { operator } from './operator.ts'

const latencies = {
  p50Ms: nullable(number('Time to the answer that half of the requests do not exceed, an estimate; null without any')),
  p99Ms: nullable(number('The same of 99 percent')),
}

const errors = {
  clientErrors: integer('Of these, answered with a status of 400 to 499'),
  serverErrors: integer('Of these, answered with a status of 500 to 599'),
}

export const trafficEndpoint = endpoint({
  ...operator('read'),
  method: 'GET',
  path: '/admin/traffic',
  summary: 'Get the traffic of this instance, by minute and by route',
  description:
    'Each instance keeps its own figures in memory, for a day at most and not beyond a restart. Behind a load balancer, the instance that answers shows its own; Prometheus collects those of all from /metrics.',
  returns: 'object',
  data: Type.Object(
    {
      instance: Type.Object(
        {
          host: text('Name of the machine'),
          pid: integer('Id of the process'),
          startedAt: time('When the instance started'),
        },
        { description: 'The instance that answers' },
      ),
      minutes: Type.Array(
        Type.Object({
          at: time('Start of the minute'),
          seconds: number('Its length; that of the last one, which is under way, is shorter'),
          requests: integer('Answered requests of all kinds'),
          ...errors,
          ...latencies,
          credits: integer('Credits charged for requests'),
          streams: integer('Open streams at the end of the minute'),
          eventLoopDelayMs: number('Delay of the event loop that 99 percent of its turns do not exceed'),
          memoryBytes: integer('Resident memory at the end of the minute'),
        }),
        { description: 'Minutes of the last day, oldest first' },
      ),
      routes: Type.Array(
        Type.Object({
          route: text('Method and path pattern; none for requests without a route'),
          requests: integer('Answered requests'),
          ...errors,
          ...latencies,
        }),
        { description: 'Figures by route since the start, those with the most requests first' },
      ),
    },
    { description: 'The traffic of one instance' },
  ),
  handle(_input, { traffic, startedAt }) {
    return {
      instance: { host: hostname(), pid: process.pid, startedAt: isoTime(startedAt) },
      minutes: traffic.minutes().map(({ at, ...figures }) => ({ at: isoTime(at), ...figures })),
      routes: traffic.routes(),
    }
  },
})
