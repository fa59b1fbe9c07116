import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './spawn.ts'

/** Longer than the proxy needs to notice that a service is not ready. */
export const PROXY_DRAIN_MS = '1000'

export const hasHaproxy = () => spawnSync('haproxy', ['-v']).error === undefined

export interface Haproxy {
  url: string
  /** Waits until the proxy uses all services. */
  untilAllUp(): Promise<void>
  stop(): Promise<void>
}

/** Starts a proxy in front of services at these ports, which checks their /ready. */
export async function startHaproxy(targets: readonly number[]): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configOf(port, targets))
  const child = spawn('haproxy', ['-f', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async untilAllUp() {
      for (;;) {
        const table = await fetch(`${url}/proxy;csv`).then(
          (response) => response.text(),
          () => '',
        )
        if (table.split('\n').filter((line) => /^service,s\d+,.*,UP,/.test(line)).length === targets.length) return
        await delay(50)
      }
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

const configOf = (port: number, servers: readonly number[]) => `
defaults
  mode http
  timeout connect 2s
  timeout client 20s
  timeout server 20s
  option redispatch
listen service
  bind 127.0.0.1:${port}
  stats enable
  stats uri /proxy
  option httpchk GET /ready
  timeout check 5s
  default-server check inter 100ms fall 1 rise 1
${servers.map((server) => `  server s${server} 127.0.0.1:${server}`).join('\n')}
`
