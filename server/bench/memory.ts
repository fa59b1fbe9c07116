import { saturate } from './client.ts'
import { printFigure } from './figures.ts'
import { residentMb } from './machine.ts'
import { distinctPages } from './pages.ts'
import { filled, type Settings, servePinned } from './service.ts'

const CONNECTIONS = 16
const SECONDS = 5

/** Measures resident memory after many requests, a tenth of them for pages that are not cached. */
export async function benchMemory(settings: Settings): Promise<void> {
  const { small, requests } = settings
  const service = await servePinned(await filled(settings, small))
  const pages = await distinctPages(service, '/api/v1/entries?language=en', 300)
  const paths = pages.flatMap((page) => [page, ...Array<string>(9).fill('/api/v1/entries')])
  const load = {
    port: service.port,
    paths,
    authorizations: [service.headers.authorization],
    connections: CONNECTIONS,
    seconds: SECONDS,
  }
  for (let sent = 0; sent < requests; ) {
    const result = await saturate(load)
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
    sent += result.requests
  }
  const resident = Math.round(residentMb(service.child.pid))
  printFigure(`resident after ${requests} requests`, resident, 'at most', 250, { unit: 'MB' })
  await service.stop()
}
