import type { Server } from 'node:http'

interface AddressSettings {
  PUBLIC_URL: string | undefined
  HOST: string
  PORT: number
}

/** The addresses of the service. With PORT=0 the port is known once the server listens. */
export class ServiceAddress {
  readonly #settings: AddressSettings
  #server: Server | undefined

  constructor(settings: AddressSettings) {
    this.#settings = settings
  }

  attach(server: Server): void {
    this.#server = server
  }

  /** Returns the URL that callers use, without a slash at its end. */
  get publicUrl(): string {
    const { PUBLIC_URL, HOST, PORT } = this.#settings
    return PUBLIC_URL ?? localUrl(HOST, this.#port ?? PORT)
  }

  /** Returns the origin of `publicUrl`, as browsers send it. */
  get publicOrigin(): string {
    return new URL(this.publicUrl).origin
  }

  get isPublicUrlSet(): boolean {
    return this.#settings.PUBLIC_URL !== undefined
  }

  /** Returns a URL that works on this machine; undefined while the server does not listen. */
  get localUrl(): string | undefined {
    return this.#port === undefined ? undefined : localUrl(this.#settings.HOST, this.#port)
  }

  get #port(): number | undefined {
    const address = this.#server?.address()
    return typeof address === 'object' ? address?.port : undefined
  }
}

/** Wildcard addresses to listen on, each with an address that clients on this machine can call. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' }

/** Returns the URL of the service for clients on the same machine. */
export function localUrl(host: string, port: number): string {
  const callable = CALLABLE[host] ?? host
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`
}
