import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { killHard, ready } from '../test/spawn.ts'
import { load } from './load.ts'
import { distinctPages } from './pages.ts'
import { CONNECTIONS, filled, median, print, printRatio, type Service, type Settings, serve } from './service.ts'

/** Measures the newest page and uncached filtered pages, against minimal servers. */
export async function benchThroughput(settings: Settings): Promise<void> {
  const service = await serve(await filled(settings, settings.small))
  const baseline = await serveBaseline(service.folder)
  const uncached = await crawl(service)
  const contenders: Record<string, { port: number; paths: string[] }> = {
    'bare Fastify, pre-serialised': { port: baseline.port, paths: ['/pre-serialised'] },
    'bare Fastify + node:sqlite, built per request': { port: baseline.port, paths: ['/built'] },
    'the same without its total': { port: baseline.port, paths: ['/built-without-total'] },
    'newest 50, whole pipeline': { port: service.port, paths: ['/api/v1/entries'] },
    'filtered 50, no cache': { port: service.port, paths: uncached },
  }
  const rounds: { name: string; requestsPerSecond: number }[] = []
  for (let round = 0; round < 7; round += 1) {
    for (const [name, { port, paths }] of Object.entries(contenders)) {
      const { headers } = service
      const { requestsPerSecond, failures } = await load({ port, paths, headers, connections: CONNECTIONS, seconds: 3 })
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed`)
      // The first round is a warm-up.
      if (round > 0) rounds.push({ name, requestsPerSecond })
    }
  }
  await service.stop()
  await baseline.stop()

  const rate = (of: string) =>
    median(rounds.filter(({ name }) => name === of).map(({ requestsPerSecond }) => requestsPerSecond))
  for (const name of Object.keys(contenders)) print(name, `${Math.round(rate(name))} requests/s`)
  const [preSerialised = '', built = '', partly = '', newest = '', filtered = ''] = Object.keys(contenders)
  printRatio('newest 50 / pre-serialised', rate(newest) / rate(preSerialised), 'at least', 0.25)
  printRatio('newest 50 / built per request', rate(newest) / rate(built), 'at least', 1.5)
  printRatio('filtered 50 / built per request', rate(filtered) / rate(built), 'at least', 0.8)
  print('filtered 50 / built without total', (rate(filtered) / rate(partly)).toFixed(2))
}

/** Returns pages 2 to 20 of many filtered lists: pages behind a cursor are not cached. */
async function crawl(service: Service): Promise<string[]> {
  const lists = [
    ...['en', 'de', 'fr', 'ja'].map((language) => `language=${language}`),
    ...['US', 'GB', 'DE'].map((code) => `countryCode=${code}`),
    ...['AAPL', 'BTC', 'NVDA', 'TSLA'].map((key) => `assetKey=${key}`),
    'topicSlug=earnings',
    'hasAssets=false',
  ]
  const paths: string[] = []
  for (const list of lists) paths.push(...(await distinctPages(service, `/api/v1/entries?${list}`, 19)))
  return paths
}

async function serveBaseline(place: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'baseline.ts'), place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { port: Number(new URL(await ready(child)).port), stop: () => killHard(child) }
}
