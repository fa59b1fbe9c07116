import { type Config, OperatorError } from '../config.ts'
import { localUrl } from '../http/public-url.ts'
import { keptAdminToken } from '../secrets.ts'

interface Envelope<Data> {
  success: boolean
  data: Data
  error?: { message: string }
}

/** Calls the operator's API of the running service of the same settings. */
export function adminClient(config: Config) {
  const token = config.ADMIN_TOKEN ?? keptToken(config.DATA_DIR)
  const base = localUrl(config.HOST, config.PORT)
  return async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
    let response: Response
    try {
      response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch {
      throw new OperatorError(`no service answers at ${base}; start it, or set HOST and PORT to where it runs`)
    }
    const envelope = (await response.json().catch(() => null)) as Envelope<Data> | null
    if (typeof envelope?.success !== 'boolean') throw new OperatorError(`what answers at ${base} is not Mintick`)
    if (!envelope.success) throw new OperatorError(envelope.error?.message ?? `the service answered ${response.status}`)
    return envelope.data
  }
}

function keptToken(folder: string): string {
  const token = keptAdminToken(folder)
  if (token === undefined) {
    throw new OperatorError(
      `${folder} holds no admin token; run this where the service was started, or set DATA_DIR or ADMIN_TOKEN`,
    )
  }
  return token
}
