/** Starts an app with custom endpoints, for cases that the endpoints of the service do not cover. */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApp } from '../src/http/app.ts'
import { Drain } from '../src/http/drain.ts'
import type { AnyEndpoint } from '../src/http/endpoint.ts'
import { TestService } from './harness.ts'

export async function startApp<Services>(
  endpoints: readonly AnyEndpoint<Services>[],
  services: Services,
): Promise<{ app: FastifyInstance; stop(): Promise<void> }> {
  const service = await TestService.start('sqlite')
  const { admission, clock, address } = service.mintick
  try {
    const logs = { log: pino({ level: 'silent' }), logError: () => {}, logRequests: false, observe: () => {} }
    const app = createApp({
      endpoints,
      services,
      admission,
      clock,
      logs,
      corsOrigins: [],
      trustedProxies: [],
      address,
      connectionsPerAddress: 100,
      drain: new Drain(),
    })
    return {
      app,
      async stop() {
        await app.close()
        await service.stop()
      },
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}
