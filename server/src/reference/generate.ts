import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WEBHOOK_PATH } from '../api/billing/webhook.ts'
import { endpoints } from '../api/index.ts'
import { GRACE_MS } from '../billing/fulfilment.ts'
import { STRIPE_EVENTS } from '../billing/stripe/events.ts'
import { SETTINGS } from '../config.ts'
import { DAY } from '../model/time.ts'
import { PACKS } from '../plans/packs.ts'
import { PLANS } from '../plans/plans.ts'
import { EVENT_ITEMS } from '../signals/detect/event-items.ts'
import { HORIZON_SPANS, KINDS } from '../signals/detect/kinds.ts'
import { THRESHOLDS } from '../signals/detect/thresholds.ts'
import { version } from '../version.ts'
import { fieldsPage } from './fields-page.ts'
import { jsonText } from './json-text.ts'
import { openApiOf } from './openapi.ts'
import { endpointsPage, errorsPage, settingsPage, signalsPage } from './pages.ts'
import { paymentsPage } from './payments-page.ts'
import { plansPage } from './plans-page.ts'
import { recordExamples } from './record-examples.ts'
import { typescriptClient } from './sdk-typescript.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Writes openapi.json, docs/reference and the generated parts of sdk/. With `check` it writes nothing, names the files
 * that are out of date and returns false if there are any.
 */
export async function generate(check: boolean): Promise<boolean> {
  const stale = Object.entries(await generatedFiles()).filter(([path, text]) => textOf(path) !== text)
  for (const [path, text] of stale) {
    if (check) {
      process.stderr.write(`${path} is out of date; run "npm run generate"\n`)
    } else {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true })
      writeFileSync(join(ROOT, path), text)
    }
  }
  return !check || stale.length === 0
}

function textOf(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

async function generatedFiles(): Promise<Record<string, string>> {
  const plans = Object.values(PLANS)
  const info = {
    title: 'Mintick',
    version,
    description:
      'Financial news, clusters, markets, prediction markets, SEC filings and signals over HTTP, by API key. Requests cost credits. The examples are answers of the service with its sample data; their lists are shortened.',
    license: { name: 'MIT', identifier: 'MIT' },
  }
  const openApi = openApiOf(endpoints, info, await recordExamples(endpoints))
  return {
    'openapi.json': jsonText(openApi),
    'docs/reference/endpoints.md': endpointsPage(endpoints, plans),
    'docs/reference/fields.md': fieldsPage(openApi),
    'docs/reference/plans.md': plansPage(plans, PACKS, endpoints),
    'docs/reference/settings.md': settingsPage(SETTINGS),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/payments.md': paymentsPage({
      events: STRIPE_EVENTS,
      webhookPath: WEBHOOK_PATH,
      graceDays: GRACE_MS / DAY,
    }),
    'docs/reference/signals.md': signalsPage({
      kinds: KINDS,
      thresholds: THRESHOLDS,
      horizonSpans: HORIZON_SPANS,
      eventItems: EVENT_ITEMS,
    }),
    ...typescriptClient(endpoints, openApi),
  }
}
