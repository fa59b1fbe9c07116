import { adminAddress, type Config, OperatorError } from '../config.ts'
import { localUrl } from '../http/public-url.ts'
import { findAdminToken } from '../secrets.ts'

interface Envelope<Data> {
  success: boolean
  data: Data
  error?: { message: string }
}

/** Returns a function that calls the operator API of the running service with the same settings. */
export function adminClient(config: Config) {
  const token = config.ADMIN_TOKEN ?? getAdminToken(config.DATA_DIR)
  const tokenOrigin = config.ADMIN_TOKEN === undefined ? config.DATA_DIR : 'ADMIN_TOKEN'
  const { host, port } = adminAddress(config) ?? { host: config.HOST, port: config.PORT }
  const names = config.ADMIN_PORT === undefined ? 'HOST and PORT' : 'ADMIN_HOST and ADMIN_PORT'
  const base = localUrl(host, port)
  return async function request<Data>(method: string, path: string, body?: object): Promise<Data> {
    let response: Response
    try {
      response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch {
      throw new OperatorError(`no service answers at ${base}; start it, or set ${names} to its address`)
    }
    const envelope = (await response.json().catch(() => null)) as Envelope<Data> | null
    if (typeof envelope?.success !== 'boolean')
      throw new OperatorError(`the service at ${base} is not Mintick; set ${names} to the address of Mintick`)
    if (envelope.success) return envelope.data
    const message = envelope.error?.message ?? `the service answered ${response.status}`
    if (response.status === 401) {
      throw new OperatorError(
        `${base} refuses the admin token of ${tokenOrigin}: it is wrong or revoked; set ADMIN_TOKEN or DATA_DIR as for the service`,
      )
    }
    if (message.startsWith('No such route')) {
      throw new OperatorError(`the admin API is not at ${base}; set ADMIN_HOST and ADMIN_PORT as for the service`)
    }
    throw new OperatorError(message)
  }
}

function getAdminToken(folder: string): string {
  const token = findAdminToken(folder)
  if (token === undefined) {
    throw new OperatorError(
      `no admin token in ${folder}; run this in the folder where the service was started, or set DATA_DIR or ADMIN_TOKEN`,
    )
  }
  return token
}
