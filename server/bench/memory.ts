import { readFileSync } from 'node:fs'
import { load } from './load.ts'
import { distinctPages } from './pages.ts'
import { CONNECTIONS, filled, printRatio, type Settings, serve } from './service.ts'

/** Measures resident memory after many requests, a tenth of them for pages that are not cached. */
export async function benchMemory(settings: Settings): Promise<void> {
  const { small, requests } = settings
  const service = await serve(await filled(settings, small))
  const pages = await distinctPages(service, '/api/v1/entries?language=en', 300)
  const paths = pages.flatMap((page) => [page, ...Array<string>(9).fill('/api/v1/entries')])
  const { headers, port } = service
  const { failures } = await load({ port, paths, headers, connections: CONNECTIONS, requests })
  if (failures > 0) throw new Error(`${failures} requests failed`)
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
  printRatio(`resident after ${requests} requests`, Math.round(resident), 'at most', 250, 'MB')
  await service.stop()
}
