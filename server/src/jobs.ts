import { setTimeout as delay } from 'node:timers/promises'
import type { PaymentSandbox } from 'payment-sandbox'
import type { Admission } from './admission/admit.ts'
import type { BalanceAlerts } from './alerts/balance-alerts.ts'
import type { Billing } from './billing/billing.ts'
import type { MonthlyGrants } from './billing/monthly-grants.ts'
import type { Clock } from './clock.ts'
import { OperatorError } from './config.ts'
import type { Ingest } from './ingest/ingest.ts'
import { SECOND } from './model/time.ts'
import type { Part } from './parts.ts'
import { PeriodicJob } from './periodic-job.ts'
import { hasSample } from './sample/load.ts'
import { type Lease, LeaseLost } from './store/leases.ts'
import type { Store } from './store/store.ts'
import { LEAST_GAP_MS } from './store/uptime.ts'

/** The work that the service repeats. */

const SAMPLE_STEP_MS = SECOND
const SAMPLE_LEASE = 'live sample'
const GRANTS_EVERY_MS = 10 * SECOND
const BILLING_EVERY_MS = 5 * SECOND
const ALERTS_EVERY_MS = 5 * SECOND
const HEARTBEAT_EVERY_MS = LEAST_GAP_MS / 3

/** Adds data to the sample as time goes by, on one instance at a time: each would continue the world in its own way. */
export async function createSampleLive(
  parts: { store: Store; intake: Ingest['intake'] },
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<Part> {
  if (!(await hasSample(parts.store))) {
    throw new OperatorError('SAMPLE_LIVE needs the sample data, which this store does not hold; turn it off')
  }
  const { sampleLive } = await import('./sample/live.ts')
  const { store } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const goOn = async (lease: Lease) => {
    const live = sampleLive(parts, clock.now())
    while (!signal.aborted) {
      try {
        await store.leases.check(lease)
        // The operator may remove the sample while the service runs.
        if (await hasSample(store)) await live.step(clock.now())
      } catch (error) {
        if (error instanceof LeaseLost) return
        onError(error)
      }
      await delay(SAMPLE_STEP_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const job = new PeriodicJob(SAMPLE_STEP_MS, () => store.leases.runIfFree(SAMPLE_LEASE, goOn, signal), onError)
  return {
    start() {
      job.start()
      job.run()
    },
    stop() {
      stopping.abort()
      return job.stop()
    },
  }
}

/** Runs the due actions of the sandbox, and finds payments that no event reported. */
export function createBillingJob(
  { billing, sandbox }: { billing: Billing | undefined; sandbox: PaymentSandbox | undefined },
  onError: (error: unknown) => void,
): Part {
  const job = new PeriodicJob(
    BILLING_EVERY_MS,
    async () => {
      await sandbox?.run()
      await billing?.sweeper.run()
    },
    onError,
  )
  return {
    start: () => job.start(),
    stop() {
      billing?.sweeper.stop()
      return job.stop()
    },
  }
}

/** Records that this instance runs. */
export function createHeartbeat(store: Store, clock: Clock, onError: (error: unknown) => void): Part {
  const beat = () => store.uptime.beat(clock.now())
  const job = new PeriodicJob(HEARTBEAT_EVERY_MS, beat, onError)
  return {
    async start() {
      await beat()
      job.start()
    },
    stop: () => job.stop(),
  }
}

/** Refills the demo pool and grants monthly credits. */
export function createGrantJob(
  {
    admission,
    grants,
    demoAccountId,
  }: {
    admission: Admission
    grants: MonthlyGrants
    demoAccountId: string
  },
  onError: (error: unknown) => void,
): Part {
  const job = new PeriodicJob(
    GRANTS_EVERY_MS,
    async () => {
      await admission.refillDemoPool(demoAccountId)
      await grants.run()
    },
    onError,
  )
  return {
    start() {
      job.start()
      job.run()
    },
    stop() {
      grants.stop()
      return job.stop()
    },
  }
}

/** Tells accounts about low balances. */
export function createAlertJob(alerts: BalanceAlerts, onError: (error: unknown) => void): Part {
  const job = new PeriodicJob(ALERTS_EVERY_MS, () => alerts.run(), onError)
  return {
    start: () => job.start(),
    stop() {
      alerts.stop()
      return job.stop()
    },
  }
}
