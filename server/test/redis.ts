import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installWithApt } from './apt.ts'
import { freePort } from './spawn.ts'

const START_MS = 10_000

export const hasRedis = () => spawnSync('redis-server', ['--version']).error === undefined

/** Installs Redis if it is missing and this is root. Returns the reason if the tests have to do without. */
export async function prepareRedis(): Promise<string | undefined> {
  if (hasRedis()) return undefined
  return process.getuid?.() === 0 ? installWithApt('redis-server') : 'no redis-server on PATH'
}

/** A Redis server of a test. It ends with the process of the test. */
export class RedisServer {
  readonly port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'mintick-redis-'))
  readonly #options: readonly string[]
  /** Lines of a configuration file, which the server may rewrite. */
  readonly #lines: readonly string[] | undefined
  #shell: ChildProcess | undefined

  private constructor(port: number, options: readonly string[], lines?: readonly string[]) {
    this.port = port
    this.#options = options
    this.#lines = lines
  }

  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options)
    await server.start()
    return server
  }

  /** Starts a replica of this server. */
  async replica(): Promise<RedisServer> {
    const replica = await RedisServer.start('--replicaof', '127.0.0.1', String(this.port))
    while (!String(await replica.command('info', 'replication')).includes('master_link_status:up')) await delay(20)
    return replica
  }

  /** Starts a sentinel that promotes a replica of this server, called `primary`, as soon as the server is gone. */
  async sentinel(): Promise<RedisServer> {
    const sentinel = new RedisServer(
      await freePort(),
      ['--sentinel'],
      [
        `sentinel monitor primary 127.0.0.1 ${this.port} 1`,
        'sentinel down-after-milliseconds primary 300',
        'sentinel failover-timeout primary 2000',
      ],
    )
    await sentinel.start()
    return sentinel
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts the server again after `kill`, with the data that it wrote down, by default none. */
  async start(): Promise<void> {
    // The shell ends the server once this process closes the pipe or dies.
    this.#shell = spawn(
      '/bin/sh',
      ['-c', 'redis-server "$@" > log & cat > /dev/null; kill -9 $!; wait', 'sh', ...this.#arguments()],
      {
        cwd: this.#folder,
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    )
    const until = performance.now() + START_MS
    while (performance.now() < until) {
      if ((await this.command('ping').catch(() => undefined)) === 'PONG') return
      await delay(10)
    }
    throw new Error('Redis did not start')
  }

  /** Sends a command over a connection of its own. */
  async command(name: string, ...args: (string | number)[]): Promise<unknown> {
    const { Redis } = await import('ioredis')
    const client = new Redis(this.port, '127.0.0.1', { lazyConnect: true, retryStrategy: null })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.call(name, ...args)
    } finally {
      client.disconnect()
    }
  }

  /** Ends the server at once, as kill -9 does. */
  async kill(): Promise<void> {
    const shell = this.#shell
    if (shell === undefined) return
    this.#shell = undefined
    const ended = once(shell, 'exit')
    shell.stdin?.end()
    await ended
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #arguments(): string[] {
    if (this.#lines === undefined) {
      return ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', ...this.#options]
    }
    const file = join(this.#folder, 'server.conf')
    writeFileSync(file, [`port ${this.port}`, 'bind 127.0.0.1', ...this.#lines, ''].join('\n'))
    return [file, ...this.#options]
  }
}

/** Starts a cluster of three servers, without replicas. */
export async function startRedisCluster(): Promise<RedisServer[]> {
  const start = () => RedisServer.start('--cluster-enabled', 'yes', '--cluster-node-timeout', '2000')
  const nodes = await Promise.all([start(), start(), start()])
  const [first, ...others] = nodes
  for (const [place, node] of nodes.entries()) {
    const from = Math.ceil((place * 16_384) / 3)
    await node.command('cluster', 'addslotsrange', from, Math.ceil(((place + 1) * 16_384) / 3) - 1)
    await node.command('config', 'set', 'cluster-require-full-coverage', 'no')
  }
  for (const node of others) await node.command('cluster', 'meet', '127.0.0.1', first.port)
  for (const node of nodes) {
    while (!/cluster_state:ok.*cluster_known_nodes:3/s.test(String(await node.command('cluster', 'info'))))
      await delay(20)
  }
  return nodes
}
