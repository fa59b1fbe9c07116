import { resolve } from 'node:path'
import { parseNetwork } from './model/networks.ts'
import { OPERATOR_SCOPES, type OperatorScope } from './model/operators.ts'
import { parseRedisUrl } from './model/redis-address.ts'

/** An error that the operator can fix. The command prints its message and nothing else. */
export class OperatorError extends Error {}

export const MIN_SECRET_LENGTH = 16

interface Setting<T> {
  fallback: string
  meaning: string
  /** Throws an error whose message follows the name of the setting. */
  parse(text: string): T
}

/** All settings, with defaults and meanings. docs/reference/settings.md is generated from this table. */
export const SETTINGS = {
  PORT: { fallback: '3000', meaning: 'Port to listen on; 0 picks a free port', parse: port },
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on', parse: text },
  CONNECTIONS_PER_ADDRESS: {
    fallback: '20000',
    meaning: 'Open connections per client address (per /64 network for IPv6); further ones are closed at once',
    parse: count,
  },
  TRUSTED_PROXIES: {
    fallback: '',
    meaning:
      'Addresses and networks of reverse proxies, separated by commas, such as 10.0.0.0/8: the client of their requests is taken from X-Forwarded-For, and CONNECTIONS_PER_ADDRESS does not apply to them',
    parse: networks,
  },
  CORS_ORIGINS: {
    fallback: '',
    meaning:
      'Origins whose web pages may call the API, separated by commas, such as https://app.example; * allows all; none if unset',
    parse: origins,
  },
  DRAIN_MS: {
    fallback: '3000',
    meaning:
      'Milliseconds from SIGTERM until the port is closed, with /ready at 503, so that a load balancer notices; Ctrl-C does not wait',
    parse: milliseconds(0),
  },
  DATA_DIR: {
    fallback: './data',
    meaning: 'Folder for the embedded store, the key pepper and the admin token',
    parse: (value: string) => resolve(text(value)),
  },
  DATABASE_URL: {
    fallback: '',
    meaning:
      'postgres://… to store all data in PostgreSQL (15 or newer) instead of the embedded store, from which nothing is moved',
    parse: postgresUrl,
  },
  DATABASE_DIRECT_URL: {
    fallback: '',
    meaning:
      'postgres://… of the same database without a pooler, if DATABASE_URL leads through one that pools transactions, such as PgBouncer: for migrations and notifications between instances. Statements through the pooler are then not prepared',
    parse: postgresUrl,
  },
  DATABASE_READ_URL: {
    fallback: '',
    meaning:
      'postgres://… of a streaming replica of DATABASE_URL, one server, which answers requests for data whenever it has all data of the primary. Needs DATABASE_URL',
    parse: postgresUrl,
  },
  DATABASE_TIMEOUT_MS: {
    fallback: '10000',
    meaning: 'How long a request waits for PostgreSQL before it fails, in milliseconds, at least 500',
    parse: milliseconds(500),
  },
  REDIS_URL: {
    fallback: '',
    meaning:
      'Redis (7 or newer) or Valkey for several instances on one PostgreSQL, whose rate limits are then counted together: redis://host:6379, rediss:// with TLS, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379. Needs DATABASE_URL',
    parse: (value: string) => (value === '' ? undefined : parseRedisUrl(value)),
  },
  ROLE: {
    fallback: 'all',
    meaning:
      'What this instance does: serve the API (api), work in the background on sources, indexing, signals, grants, payments and alerts, with only /health, /ready, /metrics and the API on ADMIN_PORT (worker), or both (all). api and worker need DATABASE_URL, and each other',
    parse: oneOf('all', 'api', 'worker'),
  },
  EXPORT_FILES_DAYS: {
    fallback: '30',
    meaning: 'Days for which export files are built and kept; 0 builds none',
    parse: days,
  },
  EXPORT_S3_URL: {
    fallback: '',
    meaning:
      'Bucket for export files, at any service with the API of S3: https://KEY_ID:SECRET@HOST/BUCKET?region=REGION; if unset, they are in DATA_DIR/exports',
    parse: bucket,
  },
  ADMIN_TOKEN: {
    fallback: '',
    meaning: 'Bearer token for the operator API, at least 16 characters; if unset, generated and kept in DATA_DIR',
    parse: token,
  },
  ADMIN_PORT: {
    fallback: '',
    meaning: 'Port for the operator API and /metrics, which PORT then does not serve; 0 picks a free port',
    parse: (value: string) => (value === '' ? undefined : port(value)),
  },
  ADMIN_HOST: { fallback: '', meaning: 'Address for ADMIN_PORT; 127.0.0.1 if unset', parse: optional },
  KEY_PEPPER: {
    fallback: '',
    meaning:
      'Secret used to hash API keys, at least 16 characters, the same on every instance; if unset, generated and kept in DATA_DIR',
    parse: secret,
  },
  SAMPLE_DATA: { fallback: 'on', meaning: 'Load synthetic sample data into an empty store (on or off)', parse: onOff },
  SAMPLE_LIVE: {
    fallback: 'off',
    meaning: 'Keep adding sample data: an entry every few seconds, prices every minute, odds occasionally (on or off)',
    parse: onOff,
  },
  SOURCES: {
    fallback: '',
    meaning:
      'What to read by itself: a preset (starter, news, crypto, odds, filings), or a YAML or JSON file as in docs/sources.example.yaml',
    parse: optional,
  },
  SOURCES_RUN: {
    fallback: 'on',
    meaning: 'Read sources (on), or leave that to other instances on the same PostgreSQL (off)',
    parse: onOff,
  },
  SOURCES_CONTACT: {
    fallback: '',
    meaning: 'Email address or web page for the servers that are read, sent in the User-Agent header',
    parse: optional,
  },
  EDGAR_CONTACT: {
    fallback: '',
    meaning: 'Email address that the SEC may write to, required to read filings from EDGAR (SOURCES=filings)',
    parse: optional,
  },
  EMBEDDINGS: {
    fallback: 'on',
    meaning: 'Use a language model for semantic search and clusters (on), or words only (off)',
    parse: onOff,
  },
  EMBEDDINGS_URL: {
    fallback: '',
    meaning:
      'URL of an OpenAI-compatible service to use instead of the built-in model, such as http://localhost:11434/v1',
    parse: httpUrl,
  },
  EMBEDDINGS_MODEL: { fallback: '', meaning: 'Name of the model at EMBEDDINGS_URL', parse: optional },
  EMBEDDINGS_KEY: { fallback: '', meaning: 'Bearer token for EMBEDDINGS_URL', parse: optional },
  EMBEDDINGS_MODEL_DIR: {
    fallback: '',
    meaning:
      'Folder with a sentence-transformers model in ONNX format to use instead of the built-in model; needs the package @huggingface/transformers',
    parse: (value: string) => (value === '' ? undefined : resolve(value)),
  },
  SIGNAL_THRESHOLDS: {
    fallback: '',
    meaning: 'JSON file with signal thresholds to override, by group and name',
    parse: (value: string) => (value === '' ? undefined : resolve(value)),
  },
  STATUS_PAGE: {
    fallback: 'on',
    meaning: 'Serve /status, a public page with the uptime and how current the data is (on or off)',
    parse: onOff,
  },
  PUBLIC_URL: {
    fallback: '',
    meaning: 'Public URL of the service, used in links; http://HOST:PORT if unset',
    parse: baseUrl,
  },
  STRIPE_SECRET_KEY: {
    fallback: '',
    meaning: 'Secret key of a Stripe account (sk_… or rk_…) to sell plans and credits through Stripe',
    parse: stripeSecret('a Stripe secret key', 'sk_', 'rk_'),
  },
  STRIPE_WEBHOOK_SECRET: {
    fallback: '',
    meaning: 'Signing secret (whsec_…) of the Stripe webhook endpoint; required with STRIPE_SECRET_KEY',
    parse: stripeSecret('the signing secret of a Stripe webhook endpoint', 'whsec_'),
  },
  PAYMENTS_SANDBOX: {
    fallback: 'on',
    meaning:
      'Without Stripe: sell through the built-in sandbox, which moves no money (on), sell nothing (off), or use the sandbox even if NODE_ENV is production or HOST is not a loopback address (force)',
    parse: oneOf('on', 'off', 'force'),
  },
  WEBHOOK_HOSTS: {
    fallback: '',
    meaning:
      'Hosts that webhooks of accounts may reach although their addresses are private, separated by commas; none if unset',
    parse: listOf,
  },
  SMTP_URL: {
    fallback: '',
    meaning:
      'Mail server for alerts and for signing in, such as smtps://user:password@mail.example; if unset, mails about signing in are written to the log instead, and no others',
    parse: smtpUrl,
  },
  SMTP_FROM: { fallback: '', meaning: 'Sender of the mails; required with SMTP_URL', parse: optional },
  SIGNUP: {
    fallback: 'on',
    meaning: 'Let people create accounts on the Free plan in the dashboard (on or off)',
    parse: onOff,
  },
  OIDC_ISSUER: {
    fallback: '',
    meaning:
      'URL of a provider of OpenID Connect through which operators sign in to the dashboard, such as https://login.example; it sends them back to PUBLIC_URL/dashboard/auth/oidc/callback',
    parse: issuer,
  },
  OIDC_CLIENT_ID: { fallback: '', meaning: 'Id of Mintick at the provider', parse: optional },
  OIDC_CLIENT_SECRET: { fallback: '', meaning: 'Secret of Mintick at the provider', parse: optional },
  OIDC_OPERATORS: {
    fallback: '',
    meaning:
      'Who operates the service, by email addresses that the provider has verified, with the scope read, support or owner: ada@example.com=owner,bob@example.com=read',
    parse: operators,
  },
  NODE_ENV: {
    fallback: '',
    meaning: 'If production, the payment sandbox needs PAYMENTS_SANDBOX=force',
    parse: optional,
  },
  LOG_LEVEL: {
    fallback: 'info',
    meaning: 'Lowest level to log: fatal, error, warn, info, debug, trace or silent',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  LOG_RETENTION_DAYS: {
    fallback: '90',
    meaning:
      'Days that requests stay in the request logs of accounts and in the detailed billing history, and processed payment events in the store, at least 32; 0 keeps them forever. Daily usage stays; signal events can be resumed for a day',
    parse: retentionDays,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: '',
    meaning:
      'URL of an OpenTelemetry collector, such as http://localhost:4318, that gets a span per request; none if unset',
    parse: httpUrl,
  },
  LOG_REQUESTS: {
    fallback: 'off',
    meaning: 'Log a line per request at level info (on or off); requests with a key are in GET /account/logs anyway',
    parse: onOff,
  },
} as const satisfies Record<string, Setting<unknown>>

export type Config = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> }

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const config = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => {
      const value = env[name]?.trim() || setting.fallback
      try {
        return [name, setting.parse(value)]
      } catch (error) {
        throw new OperatorError(`${name} ${error instanceof Error ? error.message : 'is invalid'}`)
      }
    }),
  ) as Config
  // The operator API would stay on PORT, against the intention.
  if (config.ADMIN_HOST !== undefined && config.ADMIN_PORT === undefined) {
    throw new OperatorError('ADMIN_HOST must be set together with ADMIN_PORT')
  }
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const) {
    if (config[name] !== undefined && config.DATABASE_URL === undefined) {
      throw new OperatorError(`${name} must be set together with DATABASE_URL`)
    }
  }
  if (config.REDIS_URL !== undefined && config.DATABASE_URL === undefined) {
    throw new OperatorError(
      'REDIS_URL must be set together with DATABASE_URL: instances that share a Redis share a PostgreSQL, and the embedded store has one instance',
    )
  }
  if (config.ROLE !== 'all' && config.DATABASE_URL === undefined) {
    throw new OperatorError(
      'ROLE must be all without DATABASE_URL: the embedded store has one instance, which does everything',
    )
  }
  if ((config.SMTP_URL === undefined) !== (config.SMTP_FROM === undefined)) {
    throw new OperatorError('SMTP_URL must be set together with SMTP_FROM')
  }
  const oidc = [config.OIDC_ISSUER, config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET]
  const isOidcUsed = oidc.some((setting) => setting !== undefined) || config.OIDC_OPERATORS.size > 0
  if (isOidcUsed && (oidc.includes(undefined) || config.OIDC_OPERATORS.size === 0)) {
    throw new OperatorError(
      'OIDC_ISSUER must be set together with OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_OPERATORS',
    )
  }
  return config
}

/** Returns the address that serves the operator API alone, if there is one. */
export function adminAddress({
  ADMIN_HOST: host = '127.0.0.1',
  ADMIN_PORT: port,
}: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>): { host: string; port: number } | undefined {
  return port === undefined ? undefined : { host, port }
}

function text(value: string): string {
  return value
}

function optional(value: string): string | undefined {
  return value === '' ? undefined : value
}

function port(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535) {
    throw new Error(`must be a port number from 0 to 65535, not ${JSON.stringify(value)}`)
  }
  return number
}

function count(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`must be a whole number from 1, not ${JSON.stringify(value)}`)
  return Number(value)
}

/** Usage since the start of the billing month needs the requests of its first day; Stripe lists events for 30 days. */
const LEAST_RETENTION_DAYS = 32

function retentionDays(value: string): number {
  if (!/^\d{1,5}$/.test(value) || (Number(value) > 0 && Number(value) < LEAST_RETENTION_DAYS)) {
    throw new Error(`must be 0, or ${LEAST_RETENTION_DAYS} to 99999 days, not ${JSON.stringify(value)}`)
  }
  return Number(value)
}

function milliseconds(least: number): (value: string) => number {
  return (value) => {
    if (!/^\d{1,6}$/.test(value) || Number(value) < least) {
      throw new Error(`must be ${least} to 999999 milliseconds, not ${JSON.stringify(value)}`)
    }
    return Number(value)
  }
}

function onOff(value: string): boolean {
  return oneOf('on', 'off')(value) === 'on'
}

function oneOf<const Value extends string>(...values: Value[]): (value: string) => Value {
  return (value) => {
    const found = values.find((allowed) => allowed === value)
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}, not ${JSON.stringify(value)}`)
    return found
  }
}

function secret(value: string): string | undefined {
  if (value === '') return undefined
  if (value.length < MIN_SECRET_LENGTH) throw new Error(`must be at least ${MIN_SECRET_LENGTH} characters long`)
  return value
}

/** Parses a secret that is sent in a header, so only visible ASCII is allowed. */
function token(value: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(value)) throw new Error('must be ASCII letters, digits and punctuation without spaces')
  return secret(value)
}

/** Creates a parser for a secret that is sent in a header. The message never repeats the value. */
function stripeSecret(what: string, ...starts: string[]): (value: string) => string | undefined {
  return (value) => {
    if (value === '') return undefined
    const start = starts.find((prefix) => value.startsWith(prefix))
    if (start === undefined || value === start || !/^[\x21-\x7e]+$/.test(value)) {
      throw new Error(`must be ${what}: it starts with ${starts.join(' or ')} and has no spaces`)
    }
    return value
  }
}

function httpUrl(value: string): string | undefined {
  return value === '' ? undefined : urlOf(value, ['http://', 'https://']).replace(/\/+$/, '')
}

/** Parses a URL to which paths can be appended. */
function baseUrl(value: string): string | undefined {
  if (/[?#]/.test(value)) throw new Error('must be a URL without ? and #')
  return httpUrl(value)
}

/** Parses the URL of a provider. Its answers decide who operates the service, so HTTP is only for this machine. */
function issuer(value: string): string | undefined {
  const url = baseUrl(value)
  if (url?.startsWith('http:') && !['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)) {
    throw new Error('must be an https URL')
  }
  return url
}

function operators(value: string): ReadonlyMap<string, OperatorScope> {
  const pairs = listOf(value).map((item) => /^([^\s@=]+@[^\s@=]+)=(\w+)$/.exec(item) ?? [])
  const scopes = new Map<string, OperatorScope>()
  for (const [, email, name] of pairs) {
    const scope = OPERATOR_SCOPES.find((known) => known === name)
    if (email === undefined || scope === undefined) {
      throw new Error(`must be a list such as ada@example.com=owner; scopes are ${OPERATOR_SCOPES.join(', ')}`)
    }
    scopes.set(email.toLowerCase(), scope)
  }
  return scopes
}

function origins(value: string): string[] {
  const given = listOf(value)
  const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  if (!given.every((text) => text === '*' || isOrigin(text))) {
    throw new Error('must be a list of origins such as https://app.example or http://localhost:5173, or *')
  }
  return given
}

function networks(value: string): string[] {
  const given = listOf(value)
  if (given.some((text) => parseNetwork(text) === undefined))
    throw new Error('must be a list of addresses and networks such as 10.0.0.0/8 or ::1')
  return given
}

/** Splits a list at its commas. */
function listOf(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function postgresUrl(value: string): string | undefined {
  return value === '' ? undefined : urlOf(value, ['postgres://', 'postgresql://'])
}

/** Parses the address of a bucket with its credentials, which may be percent-encoded. */
function bucket(value: string) {
  if (value === '') return undefined
  const { protocol, host, pathname, username, password, searchParams } = new URL(urlOf(value, ['http://', 'https://']))
  const [, name, ...others] = pathname.split('/')
  if (!name || others.join('') !== '' || username === '' || password === '') {
    throw new Error('must be a URL such as https://KEY_ID:SECRET@HOST/BUCKET?region=REGION')
  }
  return {
    endpoint: `${protocol}//${host}`,
    bucket: name,
    region: searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
}

function days(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new Error('must be a number of days from 0 to 9999')
  return Number(value)
}

function smtpUrl(value: string): string | undefined {
  return value === '' ? undefined : urlOf(value, ['smtp://', 'smtps://'])
}

/** The message never repeats the value: a database URL contains a password. */
function urlOf(value: string, starts: string[]): string {
  if (!URL.canParse(value) || !starts.some((start) => value.startsWith(start))) {
    throw new Error(`must be a URL that starts with ${starts.join(' or ')}`)
  }
  return value
}

/** Returns the service and the API key of clients, such as "mintick mcp"; the Python client reads the same variables. */
export function readClientSettings(env: Record<string, string | undefined> = process.env) {
  return { url: env.MINTICK_URL || 'http://127.0.0.1:3000', apiKey: env.MINTICK_API_KEY || undefined }
}
