import { setTimeout as delay } from 'node:timers/promises'
import { type Load, type LoadResult, saturate } from './client.ts'
import { cpuMicros } from './machine.ts'
import { longestBlock, type Server, type Service, serveFloor } from './service.ts'

/** Requests without charge are logged after their response. */
const AFTERMATH_MS = 100
const QUIET_SHARE = 0.05

type Requests = Pick<Load, 'paths' | 'connections' | 'seconds'>

export interface Measured extends LoadResult {
  cpuMicrosPerRequest: number
  /** Milliseconds. */
  longestBlock: number
}

/** The service and the floor side by side. Requests to both are the same; the floor answers each with the same text. */
export class Contest {
  readonly service: Service
  readonly floor: Server
  #answer = ''

  private constructor(service: Service, floor: Server) {
    this.service = service
    this.floor = floor
  }

  static async start(service: Service): Promise<Contest> {
    return new Contest(service, await serveFloor())
  }

  async stop(): Promise<void> {
    await this.service.stop()
    await this.floor.stop()
  }

  /** Requests a path of the service, and lets the floor answer with the same text from now on. */
  async copy(path: string): Promise<{ status: number; bytes: number }> {
    const response = await fetch(`http://127.0.0.1:${this.service.port}${path}`, { headers: this.service.headers })
    const body = await response.text()
    this.#answer = body
    await this.setWork(0)
    return { status: response.status, bytes: Buffer.byteLength(body) }
  }

  /** Lets each answer of the floor take this much more CPU time. */
  async setWork(micros: number): Promise<void> {
    const headers = { 'x-work-micros': String(micros) }
    await fetch(`http://127.0.0.1:${this.floor.port}`, { method: 'PUT', headers, body: this.#answer })
  }

  measureService(requests: Requests): Promise<Measured> {
    return this.#measure(this.service, requests)
  }

  measureFloor(requests: Requests): Promise<Measured> {
    return this.#measure(this.floor, requests)
  }

  async #measure(server: Server, requests: Requests): Promise<Measured> {
    const { authorization } = this.service.headers
    await longestBlock(server)
    const before = cpuMicros(server.child.pid)
    const result = await saturate({ port: server.port, authorizations: [authorization], ...requests })
    await delay(AFTERMATH_MS)
    const cpuMicrosPerRequest = (cpuMicros(server.child.pid) - before) / result.requests
    return { ...result, cpuMicrosPerRequest, longestBlock: await longestBlock(server) }
  }
}

/** Waits until a server has finished its work in the background. */
export async function quiet({ child }: Server): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds += 1) {
    const before = cpuMicros(child.pid)
    await delay(1_000)
    if (cpuMicros(child.pid) - before < QUIET_SHARE * 1e6) return
  }
}
