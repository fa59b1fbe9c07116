import { resolve } from 'node:path'

/** Something that the operator can mend. Its message is the one line that is shown. */
export class OperatorError extends Error {}

export const MIN_SECRET_LENGTH = 16

interface Setting<T> {
  fallback: string
  meaning: string
  parse(text: string): T
}

/** Every setting, with its default and its meaning; the reference page is written from this table. */
export const SETTINGS = {
  PORT: { fallback: '3000', meaning: 'Port to listen on; 0 picks a free one', parse: port },
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on', parse: text },
  DATA_DIR: {
    fallback: './data',
    meaning: 'Folder of the embedded store, the key pepper and the admin token',
    parse: (value: string) => resolve(text(value)),
  },
  DATABASE_URL: {
    fallback: '',
    meaning: 'postgres://… to keep everything in PostgreSQL (15 or newer) instead of the embedded store',
    parse: postgresUrl,
  },
  ADMIN_TOKEN: {
    fallback: '',
    meaning: "Bearer token of the operator's API, at least 16 characters; generated into DATA_DIR when unset",
    parse: token,
  },
  KEY_PEPPER: {
    fallback: '',
    meaning:
      'Secret that API keys are hashed with, at least 16 characters, the same on every instance; generated into DATA_DIR when unset',
    parse: secret,
  },
  SAMPLE_DATA: { fallback: 'on', meaning: 'Fill an empty store with synthetic sample data (on or off)', parse: onOff },
  SAMPLE_LIVE: {
    fallback: 'off',
    meaning:
      'Let the sample data go on: a new entry every few seconds, prices every minute, odds now and then (on or off)',
    parse: onOff,
  },
  EMBEDDINGS: {
    fallback: 'on',
    meaning:
      'Find entries by what is meant and tell stories apart with a model of language (on); by their words alone (off)',
    parse: onOff,
  },
  EMBEDDINGS_URL: {
    fallback: '',
    meaning:
      'Address of an OpenAI-compatible service, such as http://localhost:11434/v1, to use instead of the built-in model',
    parse: httpUrl,
  },
  EMBEDDINGS_MODEL: { fallback: '', meaning: 'Name of the model to ask EMBEDDINGS_URL for', parse: optional },
  EMBEDDINGS_KEY: { fallback: '', meaning: 'Bearer token for EMBEDDINGS_URL', parse: optional },
  EMBEDDINGS_MODEL_DIR: {
    fallback: '',
    meaning:
      'Folder of a sentence-transformers model in ONNX form to use instead of the built-in one; needs the package @huggingface/transformers',
    parse: (value: string) => (value === '' ? undefined : resolve(value)),
  },
  SEARCH_FUSION: {
    fallback: 'blend',
    meaning:
      'How a search by meaning joins vectors and words: by a weighted mean (blend, best for headlines), by their rankings (rank) or by how far each stands out (deviation, for long texts)',
    parse: oneOf('blend', 'rank', 'deviation'),
  },
  SIGNAL_THRESHOLDS: {
    fallback: '',
    meaning: 'JSON file with the thresholds of signals that are to differ from their defaults, by group and name',
    parse: (value: string) => (value === '' ? undefined : resolve(value)),
  },
  PUBLIC_URL: {
    fallback: '',
    meaning: 'Address callers reach the service at, for links; http://HOST:PORT when unset',
    parse: baseUrl,
  },
  STRIPE_SECRET_KEY: {
    fallback: '',
    meaning: 'Secret key of a Stripe account (sk_… or rk_…), to sell plans and credits through it',
    parse: stripeSecret('a secret key of Stripe', 'sk_', 'rk_'),
  },
  STRIPE_WEBHOOK_SECRET: {
    fallback: '',
    meaning: 'Signing secret (whsec_…) of the webhook endpoint at Stripe; needed with STRIPE_SECRET_KEY',
    parse: stripeSecret('the signing secret of a webhook endpoint at Stripe', 'whsec_'),
  },
  PAYMENTS_SANDBOX: {
    fallback: 'on',
    meaning:
      'Without Stripe, sell through the built-in sandbox, in which no money moves (on); sell nothing (off); the sandbox even where NODE_ENV is production (force)',
    parse: oneOf('on', 'off', 'force'),
  },
  NODE_ENV: {
    fallback: '',
    meaning: 'Where it says production, the sandbox for payments has to be asked for (PAYMENTS_SANDBOX)',
    parse: optional,
  },
  LOG_LEVEL: {
    fallback: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
} as const satisfies Record<string, Setting<unknown>>

export type Config = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> }

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  return Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => {
      const value = env[name]?.trim() || setting.fallback
      try {
        return [name, setting.parse(value)]
      } catch (error) {
        throw new OperatorError(`${name} ${error instanceof Error ? error.message : 'is not usable'}`)
      }
    }),
  ) as Config
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

/** A secret that is sent in a header, which takes no other characters. */
function token(value: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(value)) throw new Error('must be ASCII letters, digits and signs without spaces')
  return secret(value)
}

/** Sent in a header as well. The value itself is never repeated in the message. */
function stripeSecret(what: string, ...starts: string[]): (value: string) => string | undefined {
  return (value) => {
    if (value === '') return undefined
    const start = starts.find((prefix) => value.startsWith(prefix))
    if (start === undefined || value === start || !/^[\x21-\x7e]+$/.test(value)) {
      throw new Error(`must be ${what}, which starts with ${starts.join(' or ')} and has no spaces`)
    }
    return value
  }
}

function httpUrl(value: string): string | undefined {
  return value === '' ? undefined : urlOf(value, ['http://', 'https://']).replace(/\/+$/, '')
}

/** One that paths can be added to. */
function baseUrl(value: string): string | undefined {
  if (/[?#]/.test(value)) throw new Error('must be an address without ? and #')
  return httpUrl(value)
}

function postgresUrl(value: string): string | undefined {
  return value === '' ? undefined : urlOf(value, ['postgres://', 'postgresql://'])
}

/** The value itself is never repeated in the message: a database address carries a password. */
function urlOf(value: string, starts: string[]): string {
  if (!URL.canParse(value) || !starts.some((start) => value.startsWith(start))) {
    throw new Error(`must be an address that starts with ${starts.join(' or ')}`)
  }
  return value
}
