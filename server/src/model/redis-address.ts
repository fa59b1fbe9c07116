/** Where Redis is: one server, the primary that Sentinel names, or a cluster. */
export interface RedisAddress {
  kind: 'server' | 'sentinel' | 'cluster'
  hosts: { host: string; port: number }[]
  /** Name of the primary, with Sentinel. */
  name: string | undefined
  database: number
  isTls: boolean
  username: string | undefined
  password: string | undefined
}

const FORMS =
  'redis://host:6379, rediss://user:password@host:6379/0, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379'
const URL_FORM = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^@/?#]+)((?:\/[^/?#]+)*)\/?$/
const HOST_FORM = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i
const DEFAULT_PORT = { server: 6_379, sentinel: 26_379, cluster: 6_379 }

/** Parses the URL of a Redis. Throws an error whose message never repeats the value, which may contain a password. */
export function parseRedisUrl(url: string): RedisAddress {
  const [, scheme, form = 'server', credentials = '', hosts = '', path = ''] = URL_FORM.exec(url) ?? []
  if (scheme === undefined) throw malformed()
  const kind = form as RedisAddress['kind']
  const parts = path.split('/').filter((part) => part !== '')
  const name = kind === 'sentinel' ? parts.shift() : undefined
  if (kind === 'sentinel' && name === undefined) {
    throw new Error('must be redis+sentinel://host:26379,host:26379/name, with the name of the primary')
  }
  const [database = '0', ...rest] = parts
  if (rest.length > 0 || !/^\d{1,4}$/.test(database) || (kind === 'cluster' && parts.length > 0)) throw malformed()
  const nodes = hosts.split(',').map((host) => parseHost(host, DEFAULT_PORT[kind]))
  if (kind === 'server' && nodes.length > 1) {
    throw new Error('must be redis+sentinel://… or redis+cluster://… to name several servers')
  }
  const [username, password] = credentials.split(/:(.*)/s)
  return {
    kind,
    hosts: nodes,
    name,
    database: Number(database),
    isTls: scheme === 'rediss',
    username: decoded(username),
    password: decoded(password),
  }
}

function parseHost(text: string, defaultPort: number) {
  const [, ipv6, name, port = String(defaultPort)] = HOST_FORM.exec(text) ?? []
  const host = ipv6 ?? name
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw malformed()
  return { host, port: Number(port) }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined || text === '' ? undefined : decodeURIComponent(text)
  } catch {
    throw new Error('must be a URL whose user and password are percent-encoded')
  }
}

const malformed = () => new Error(`must be ${FORMS}`)
