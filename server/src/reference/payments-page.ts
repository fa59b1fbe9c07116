import { markdownPage, markdownTable } from './markdown.ts'

interface PaymentFacts {
  /** Processor events, with the object that each makes the service check. */
  events: Record<string, string>
  webhookPath: string
  graceDays: number
}

/** Returns the page for operators about setting up payments, and their effects. */
export function paymentsPage({ events, webhookPath, graceDays }: PaymentFacts): string {
  return markdownPage(
    'Payments',
    'Buyers pay once for a pack and monthly for a plan, on pages of the payment processor. `POST /billing/checkout` and `POST /billing/subscription` return the URL of such a page. The purchase is added to the account once the processor confirms the payment, exactly once even if it confirms repeatedly.',
    '## The sandbox',
    "Without `STRIPE_SECRET_KEY`, the service sells through a built-in sandbox: no money moves, and its pages say so. On the checkout page you can pay, order a bank transfer that arrives a few minutes later or never, have the card declined, or go back. `POST /billing/portal` returns a page where you can cancel the subscription, replace the card with one that fails, and refund or dispute payments. The service uses the sandbox through Stripe's API, as it uses Stripe.",
    '`PAYMENTS_SANDBOX=off` turns payments off. With `NODE_ENV=production`, or on a `HOST` that other machines can reach, the service starts with the sandbox only if `PAYMENTS_SANDBOX=force` is set.',
    '## Stripe',
    [
      '1. Set `STRIPE_SECRET_KEY`, and `PUBLIC_URL` to the URL to which buyers return. The service creates products and prices at Stripe when it first sells them.',
      `2. Add a webhook endpoint at Stripe with the URL \`PUBLIC_URL${webhookPath}\` and the events below, and set \`STRIPE_WEBHOOK_SECRET\` to its signing secret. The service refuses other events.`,
      "3. For `POST /billing/portal`, enable the customer portal in Stripe's settings, without plan changes: these go through `POST /billing/subscription/change`.",
      `4. Let Stripe retry failed payments of subscriptions for at least ${graceDays} days.`,
    ].join('\n'),
    "Refund payments and cancel subscriptions in Stripe's dashboard; the service updates credits and plans. The service finds undelivered events within a minute or two. Subscriptions of the sandbox or of another Stripe account end when the processor changes.",
    markdownTable(
      ['Event', 'The service checks'],
      Object.entries(events).map(([type, about]) => [`\`${type}\``, `the ${about}`]),
    ),
    '## Effects',
    markdownTable(
      ['When', 'Then'],
      [
        [
          'a month of a plan is paid, which takes days with some payment methods',
          'the plan takes effect and its monthly credits are added; unused monthly credits of the previous month expire',
        ],
        [
          'a more expensive plan is chosen',
          'it takes effect immediately: the buyer pays the price difference for the rest of the month, and the difference in monthly credits is added. If the payment is declined, nothing changes',
        ],
        [
          'a cheaper plan is chosen, or the plan is cancelled',
          'it takes effect at the end of the paid month; until then it can be reverted',
        ],
        [
          'a plan allows fewer keys',
          'the oldest stay active; the others are listed with `inactiveReason` and become active again when a plan allows them',
        ],
        [
          'the payment for the next month fails',
          `the plan stays for ${graceDays} days, with the remaining credits of the last month and without new ones; if the payment is still missing then, the subscription ends and the plan becomes Free`,
        ],
        [
          'a payment is refunded or disputed',
          'its credits are removed in proportion: first the unused ones, then other credits that do not expire. Used credits are owed and deducted from the next purchased packs and added credits, not from those of a plan. The plan stays: to end it, cancel the subscription at the processor',
        ],
        ['a dispute is won, or a refund fails', 'the credits are restored'],
      ],
    ),
  )
}
