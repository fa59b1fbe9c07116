import { flushCompileCache } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { DEMO_KEY } from '../admission/key.ts'
import { readPaymentSettings } from '../billing/payment-settings.ts'
import { adminAddress, OperatorError, readConfig } from '../config.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { createMintick, type Mintick } from '../main.ts'

/** A terminal signals npm and the service, and npm passes its signal on: one Ctrl-C arrives twice. */
const SAME_SIGNAL_MS = 500

/** `mintick serve`: starts the service and keeps it running until SIGTERM or SIGINT. A second signal ends it at once. */
export async function serveCommand(): Promise<void> {
  const config = readConfig()
  // The store contains email addresses and request logs, so its files are for their owner only.
  process.umask(0o077)
  const mintick = await createMintick(config, { say: (line) => process.stdout.write(`${line}\n`) })
  // Printed before anything else can fail: the key is stored nowhere.
  if (mintick.ownerKey !== undefined) {
    process.stdout.write(`\nYour owner key, shown only once:  ${mintick.ownerKey}\n`)
  }
  let stoppedAt: number | undefined
  const stop = async (drainMs: number) => {
    if (stoppedAt !== undefined) {
      // Safe: a killed service loses no answered request.
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(130)
      return
    }
    stoppedAt = performance.now()
    await mintick.close(drainMs)
    process.exit(0)
  }
  process.on('SIGTERM', () => stop(config.DRAIN_MS))
  process.on('SIGINT', () => stop(0))
  const own = adminAddress(config)
  try {
    const adminUrl = own && (await listen(mintick.adminApp, own, 'ADMIN_PORT or ADMIN_HOST'))
    await listen(mintick.app, { host: config.HOST, port: config.PORT }, 'PORT or HOST')
    // Only now: its address has the port.
    const link = mintick.isOwnerNew ? await mintick.signIn.createLink() : undefined
    process.stdout.write(banner(mintick, adminUrl, readPaymentSettings(config).kind, link?.url))
    // Otherwise written at the end, which a kill skips.
    flushCompileCache()
  } catch (error) {
    await mintick.close()
    throw error
  }
}

async function listen(
  app: FastifyInstance | undefined,
  address: { host: string; port: number },
  settings: string,
): Promise<string | undefined> {
  try {
    return await app?.listen(address)
  } catch (error) {
    throw new OperatorError(
      `cannot listen on ${address.host}:${address.port}; set ${settings} to another (${error instanceof Error ? error.message : error})`,
    )
  }
}

const PAYMENTS = {
  sandbox: 'Plans and credits are sold in a sandbox: no money moves.',
  stripe: 'Plans and credits are sold through Stripe.',
  off: 'Payments are off: nothing is sold.',
} as const

function banner(
  { address, isDemoActive }: Mintick,
  adminUrl: string | undefined,
  payments: keyof typeof PAYMENTS,
  signInUrl: string | undefined,
): string {
  const url = address.publicUrl
  return `
Mintick is ready at ${url}${adminUrl === undefined ? '' : `\nThe admin API is at ${adminUrl}`}
${PAYMENTS[payments]}
${isDemoActive ? tryIt(url) : ''}${signInUrl === undefined ? '' : signInOnce(signInUrl)}
`
}

const signInOnce = (url: string) => `
Sign in to the dashboard, once and within an hour:
  ${url}
`

const tryIt = (url: string) => `
Try it:
  curl -H "Authorization: Bearer ${DEMO_KEY}" "${url}${API_PREFIX}/entries?limit=1"
`
