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
import { guides } from './guides.ts'
import { endpointsPage, errorsPage, settingsPage, signalsPage } from './pages.ts'
import { paymentsPage } from './payments-page.ts'
import { plansPage } from './plans-page.ts'

/** Returns the generated pages in Markdown that need no recorded examples, by their paths in the repository. */
export function markdownPages(): Record<string, string> {
  const plans = Object.values(PLANS)
  return {
    'docs/reference/endpoints.md': endpointsPage(endpoints, plans),
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
    ...Object.fromEntries(Object.entries(guides(endpoints)).map(([name, text]) => [`docs/guides/${name}.md`, text])),
  }
}
