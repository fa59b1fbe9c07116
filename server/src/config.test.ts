import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../test/depth.ts'
import { adminAddress, OperatorError, readConfig, SETTINGS } from './config.ts'

/** The line the operator sees. */
function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof OperatorError, String(error))
    return error.message
  }
  assert.fail(`accepted ${JSON.stringify(env)}`)
}

describe('settings', () => {
  test('without any, the defaults are those of the table', () => {
    assert.deepEqual(readConfig({}), {
      PORT: 3000,
      HOST: '127.0.0.1',
      CONNECTIONS_PER_ADDRESS: 20_000,
      TRUSTED_PROXIES: [],
      CORS_ORIGINS: [],
      DRAIN_MS: 3_000,
      DATA_DIR: resolve('./data'),
      DATABASE_URL: undefined,
      DATABASE_DIRECT_URL: undefined,
      DATABASE_READ_URL: undefined,
      DATABASE_TIMEOUT_MS: 10_000,
      EXPORT_FILES_DAYS: 30,
      EXPORT_S3_URL: undefined,
      REDIS_URL: undefined,
      ROLE: 'all',
      ADMIN_TOKEN: undefined,
      ADMIN_PORT: undefined,
      ADMIN_HOST: undefined,
      KEY_PEPPER: undefined,
      SAMPLE_DATA: true,
      SAMPLE_LIVE: false,
      SOURCES: undefined,
      SOURCES_RUN: true,
      SOURCES_CONTACT: undefined,
      EDGAR_CONTACT: undefined,
      EMBEDDINGS: true,
      EMBEDDINGS_URL: undefined,
      EMBEDDINGS_MODEL: undefined,
      EMBEDDINGS_KEY: undefined,
      EMBEDDINGS_MODEL_DIR: undefined,
      SIGNAL_THRESHOLDS: undefined,
      STATUS_PAGE: true,
      PUBLIC_URL: undefined,
      STRIPE_SECRET_KEY: undefined,
      STRIPE_WEBHOOK_SECRET: undefined,
      PAYMENTS_SANDBOX: 'on',
      WEBHOOK_HOSTS: [],
      SMTP_URL: undefined,
      SMTP_FROM: undefined,
      SIGNUP: true,
      OIDC_ISSUER: undefined,
      OIDC_CLIENT_ID: undefined,
      OIDC_CLIENT_SECRET: undefined,
      OIDC_OPERATORS: new Map(),
      NODE_ENV: undefined,
      LOG_LEVEL: 'info',
      LOG_RETENTION_DAYS: 90,
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      LOG_REQUESTS: false,
    })
  })

  test('an empty or blank one counts as not given', () => {
    const names = Object.keys(SETTINGS)
    for (const blank of ['', '  ', '\n']) {
      assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, blank]))), readConfig({}))
    }
  })

  test('each is read, without the space around it', () => {
    const env = {
      PORT: ' 0 ',
      HOST: '0.0.0.0',
      CONNECTIONS_PER_ADDRESS: '500',
      TRUSTED_PROXIES: '10.0.0.0/8,2001:db8::/32, 192.0.2.1',
      CORS_ORIGINS: 'https://app.example, http://localhost:5173,',
      DRAIN_MS: '0',
      DATA_DIR: '/var/lib/mintick',
      DATABASE_URL: 'postgres://me:secret@db.example:5432/mintick',
      DATABASE_DIRECT_URL: 'postgres://me:secret@primary.example:5432/mintick',
      DATABASE_READ_URL: 'postgres://me:secret@replica.example:5432/mintick',
      DATABASE_TIMEOUT_MS: '2500',
      EXPORT_FILES_DAYS: '7',
      EXPORT_S3_URL: 'https://AKID:a%2Fb@s3.example:9000/bucket?region=eu-1',
      REDIS_URL: 'rediss://me:p%40ss@redis.example/2',
      ROLE: 'api',
      ADMIN_TOKEN: '0123456789abcdef',
      ADMIN_PORT: '3001',
      ADMIN_HOST: '10.0.0.1',
      KEY_PEPPER: 'a pepper of many words',
      SAMPLE_DATA: 'off',
      SAMPLE_LIVE: ' on ',
      SOURCES: ' starter',
      SOURCES_RUN: 'off ',
      SOURCES_CONTACT: ' ops@example.com ',
      EDGAR_CONTACT: ' sec@example.com ',
      EMBEDDINGS: 'off',
      EMBEDDINGS_URL: 'http://localhost:11434/v1/',
      EMBEDDINGS_MODEL: 'a-model',
      EMBEDDINGS_KEY: 'a key',
      EMBEDDINGS_MODEL_DIR: '/var/lib/models/one',
      SIGNAL_THRESHOLDS: '/etc/mintick/thresholds.json',
      STATUS_PAGE: 'off',
      PUBLIC_URL: 'https://data.example/base//',
      STRIPE_SECRET_KEY: 'rk_test_0123',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123',
      PAYMENTS_SANDBOX: 'force',
      WEBHOOK_HOSTS: 'hooks.internal, 10.0.0.7',
      SMTP_URL: 'smtps://user:password@mail.example',
      SMTP_FROM: 'Mintick <alerts@mintick.example>',
      SIGNUP: 'off',
      OIDC_ISSUER: ' https://login.example ',
      OIDC_CLIENT_ID: 'mintick',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_OPERATORS: 'Ada@example.com=owner, bob@example.com=read',
      NODE_ENV: 'production',
      LOG_LEVEL: 'silent\n',
      LOG_RETENTION_DAYS: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/',
      LOG_REQUESTS: 'on',
    }
    assert.deepEqual(readConfig(env), {
      ...env,
      PORT: 0,
      CONNECTIONS_PER_ADDRESS: 500,
      ADMIN_PORT: 3_001,
      TRUSTED_PROXIES: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'],
      WEBHOOK_HOSTS: ['hooks.internal', '10.0.0.7'],
      CORS_ORIGINS: ['https://app.example', 'http://localhost:5173'],
      DATABASE_TIMEOUT_MS: 2_500,
      EXPORT_FILES_DAYS: 7,
      EXPORT_S3_URL: {
        endpoint: 'https://s3.example:9000',
        bucket: 'bucket',
        region: 'eu-1',
        accessKeyId: 'AKID',
        secretAccessKey: 'a/b',
      },
      REDIS_URL: {
        kind: 'server',
        hosts: [{ host: 'redis.example', port: 6_379 }],
        name: undefined,
        database: 2,
        isTls: true,
        username: 'me',
        password: 'p@ss',
      },
      DRAIN_MS: 0,
      SAMPLE_DATA: false,
      SAMPLE_LIVE: true,
      SOURCES: 'starter',
      SOURCES_RUN: false,
      SOURCES_CONTACT: 'ops@example.com',
      EDGAR_CONTACT: 'sec@example.com',
      EMBEDDINGS: false,
      EMBEDDINGS_URL: 'http://localhost:11434/v1',
      STATUS_PAGE: false,
      PUBLIC_URL: 'https://data.example/base',
      SIGNUP: false,
      OIDC_ISSUER: 'https://login.example',
      OIDC_OPERATORS: new Map([
        ['ada@example.com', 'owner'],
        ['bob@example.com', 'read'],
      ]),
      LOG_LEVEL: 'silent',
      LOG_RETENTION_DAYS: 0,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      LOG_REQUESTS: true,
    })
    assert.equal(readConfig({ PORT: '65535' }).PORT, 65_535)
    assert.equal(readConfig({ DATABASE_URL: 'postgresql:///mintick' }).DATABASE_URL, 'postgresql:///mintick')
  })

  test('ADMIN_HOST without ADMIN_PORT is refused', () => {
    assert.match(refusalOf({ ADMIN_HOST: '10.0.0.1' }), /^ADMIN_HOST must be .*ADMIN_PORT/)
    assert.equal(adminAddress(readConfig({})), undefined)
    assert.deepEqual(adminAddress(readConfig({ ADMIN_PORT: '1' })), { host: '127.0.0.1', port: 1 })
  })

  test('SMTP_URL and SMTP_FROM are refused without each other', () => {
    assert.match(refusalOf({ SMTP_URL: 'smtp://mail.example' }), /^SMTP_URL must be .*SMTP_FROM/)
    assert.match(refusalOf({ SMTP_FROM: 'a@mail.example' }), /^SMTP_URL must be .*SMTP_FROM/)
  })

  test('REDIS_URL names a server, a primary by its sentinels, or a cluster', () => {
    const read = (REDIS_URL: string) => readConfig({ DATABASE_URL: 'postgres://db/x', REDIS_URL }).REDIS_URL
    assert.deepEqual(read('redis://[::1]:7000/')?.hosts, [{ host: '::1', port: 7_000 }])
    assert.equal(read('redis://:secret@host')?.password, 'secret')
    const sentinel = read('redis+sentinel://one,two:26380/mymaster/3')
    assert.deepEqual(sentinel?.hosts, [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 26_380 },
    ])
    assert.deepEqual([sentinel?.kind, sentinel?.name, sentinel?.database], ['sentinel', 'mymaster', 3])
    const cluster = read('rediss+cluster://one,two:7000')
    assert.deepEqual([cluster?.kind, cluster?.hosts.length, cluster?.isTls], ['cluster', 2, true])
  })

  test('REDIS_URL, a ROLE and other addresses of PostgreSQL need DATABASE_URL', () => {
    assert.match(refusalOf({ REDIS_URL: 'redis://host' }), /^REDIS_URL must be set together with DATABASE_URL/)
    assert.match(refusalOf({ ROLE: 'worker' }), /^ROLE must be all without DATABASE_URL/)
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
      const refusal = refusalOf({ [name]: 'postgres://db/x' })
      assert.equal(refusal, `${name} must be set together with DATABASE_URL`)
    }
  })

  test('other variables of the environment do not matter', () => {
    assert.deepEqual(readConfig({ PATH: '/bin', port: 'x', __proto__: 'y' }), readConfig({}))
  })

  const wrong: Record<string, string[]> = {
    PORT: ['x', '-1', '65536', '3000.5', '3e3', '0x10', '30 00', '٣', '9'.repeat(400), '30\n00'],
    DATABASE_DIRECT_URL: ['x', 'mysql://a/b'],
    DATABASE_READ_URL: ['x', 'mysql://a/b'],
    DATABASE_URL: ['x', 'mysql://a/b', 'http://a', 'postgres', 'postgres:mintick', 'postgres://[', 'localhost:5432/a'],
    REDIS_URL: [
      'x',
      'host:6379',
      'http://host',
      'redis://',
      'redis://one,two',
      'redis://host:0',
      'redis://host:70000',
      'redis://host/db',
      'redis://host/0/1',
      'redis://%zz:x@host',
      'redis+sentinel://host:26379',
      'redis+cluster://host/0',
      'redis+other://host',
    ],
    ROLE: ['x', 'API', 'api,worker'],
    ADMIN_PORT: ['x', '-1', '65536'],
    TRUSTED_PROXIES: [
      'x',
      '10.0.0.0/33',
      '::/129',
      '10.0.0',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/x',
      'proxy.example',
    ],
    CORS_ORIGINS: [
      'x',
      'app.example',
      'https://app.example/',
      'https://App.example',
      'ftp://a.example',
      'https://a b',
      'null',
    ],
    LOG_RETENTION_DAYS: ['x', '31', '-1', '1.5', '100000', '90 days'],
    EXPORT_FILES_DAYS: ['x', '-1', '1.5', '99999'],
    EXPORT_S3_URL: ['x', 'ftp://a:b@c/d', 'https://host/bucket', 'https://a:b@host', 'https://a:b@host/x/y'],
    DATABASE_TIMEOUT_MS: ['x', '0', '499', '1e4', '-1000', '99999999', '10 s'],
    ADMIN_TOKEN: [
      'short',
      '0123456789abcde',
      'a token with spaces in it',
      'a\ttoken-with-a-tab',
      'tökentökentökentöken',
    ],
    KEY_PEPPER: ['short', '0123456789abcde'],
    SAMPLE_DATA: ['yes', 'true', 'ON', '1', 'on\noff'],
    PUBLIC_URL: ['x', 'data.example', 'ftp://data.example', 'http://', 'http:data.example', 'https:/a', 'javascript:a'],
    STRIPE_SECRET_KEY: ['x', 'sk_', 'SK_test_1', 'pk_test_1', 'whsec_1', 'sk_test 1', 'sk_tést', 'x sk_test_1'],
    STRIPE_WEBHOOK_SECRET: ['x', 'whsec_', 'sk_test_1', 'whsec_1 2', 'whsec_\n2'],
    SMTP_URL: ['x', 'mail.example:25', 'http://mail.example', 'smtp:mail.example'],
    PAYMENTS_SANDBOX: ['yes', 'ON', 'forced', 'on\noff'],
    LOG_LEVEL: ['loud', 'INFO', 'info,warn', 'a\nb'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`${name}=${JSON.stringify(value.slice(0, 40))} is refused in one line that begins with the name`, () => {
        const line = refusalOf({ [name]: value })
        assert.ok(line.startsWith(`${name} must be `), line)
        assert.doesNotMatch(line, /[\r\n]/)
      })
    }
  }

  test('a secret is never repeated in the line: database password, admin token, pepper, those of Stripe', () => {
    const password = 'hunter2-hunter2'
    for (const value of [
      `mysql://me:${password}@db/x`,
      `postgres//me:${password}@db/x`,
      `me:${password}@db`,
      `postgres://me:${password}@db:port/x`,
      `postgres://me:${password}@[/x`,
    ]) {
      assert.ok(!refusalOf({ DATABASE_URL: value }).includes('hunter2'))
    }
    for (const value of [`redis://me:${password}@a,b`, `redis://me:${password}@`, `redis//:${password}@host`]) {
      assert.ok(!refusalOf({ REDIS_URL: value }).includes('hunter2'))
    }
    assert.ok(!refusalOf({ ADMIN_TOKEN: password }).includes('hunter2'))
    assert.ok(!refusalOf({ ADMIN_TOKEN: `${password} ${password}` }).includes('hunter2'))
    assert.ok(!refusalOf({ KEY_PEPPER: password }).includes('hunter2'))
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
      for (const value of [password, `sk_${password} x`, `whsec_${password} x`]) {
        assert.ok(!refusalOf({ [name]: value }).includes('hunter2'))
      }
    }
  })

  test('any text for any setting is either read or refused in one line', () => {
    const name = fc.constantFrom(...Object.keys(SETTINGS))
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.tuple(fc.constantFrom('postgres://', 'https://', '0', 'on'), fc.string()).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(name, value, (name, value) => {
        try {
          readConfig({ [name]: value })
        } catch (error) {
          assert.ok(error instanceof OperatorError)
          assert.match(error.message, /^\w+ must be [^\r\n]+$/)
        }
      }),
      { numRuns: runs(60, 2_000) },
    )
  })
})
