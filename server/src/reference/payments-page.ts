import { page, table } from './pages.ts'

interface PaymentFacts {
  /** Events of the processor with what each makes the service look at. */
  events: Record<string, string>
  webhookPath: string
  graceDays: number
}

/** What an operator has to set up to be paid, and what then happens. */
export function paymentsPage({ events, webhookPath, graceDays }: PaymentFacts): string {
  return page(
    'Payments',
    'Packs are paid once, plans every month, on pages of the payment processor. `POST /billing/checkout` and `POST /billing/subscription` answer the address of such a page. What was paid for is added when the processor says that it is paid: once, however often it says so.',
    '## The sandbox',
    "Without `STRIPE_SECRET_KEY` everything is sold in a sandbox that is part of the service: no money moves, and its pages say so. On the page of a checkout you can pay, order a transfer that arrives a few minutes later or never, have the card declined, or go back. `POST /billing/portal` leads to a page on which the subscription can be cancelled, the card exchanged for one that fails, and payments refunded or disputed. The service uses it as it uses Stripe, through Stripe's API.",
    '`PAYMENTS_SANDBOX=off` sells nothing. With `NODE_ENV=production` the service does not start with the sandbox unless it is asked for: `PAYMENTS_SANDBOX=force`.',
    '## Stripe',
    [
      '1. Set `STRIPE_SECRET_KEY`, and `PUBLIC_URL` to the address that buyers come back to. Products and prices are made at Stripe when they are first sold.',
      `2. Add a webhook endpoint at Stripe with the address \`PUBLIC_URL${webhookPath}\` and the events below, and set its signing secret as \`STRIPE_WEBHOOK_SECRET\`. Any other event is refused.`,
      "3. Switch on the customer portal in Stripe's settings, for `POST /billing/portal`, without changes of plan: these go through `POST /billing/subscription/change`.",
      `4. Let Stripe retry failed payments of subscriptions for at least ${graceDays} days.`,
    ].join('\n'),
    "Refund and cancel in Stripe's dashboard; credits and plans follow. Events that were not delivered are found within a minute or two. Subscriptions of the sandbox, or of another account at Stripe, end when the processor is changed.",
    table(
      ['Event', 'What is looked at again'],
      Object.entries(events).map(([type, about]) => [`\`${type}\``, `the ${about}`]),
    ),
    '## What happens when',
    table(
      ['When', 'Then'],
      [
        [
          'a month of a plan is paid, which takes days by some ways of paying',
          'the plan is in force and its monthly credits are added; what is left of those of the month before expires',
        ],
        [
          'a dearer plan is chosen',
          'it is in force at once: the difference in price for the rest of the month is paid and the difference of the monthly credits is added, or, if the payment is declined, nothing changes',
        ],
        [
          'a cheaper plan is chosen, or the plan is cancelled',
          'it follows when the month that is paid ends; until then it can be taken back',
        ],
        [
          'a plan allows fewer keys',
          'the oldest stay active; the others are listed with `inactiveReason` and come back when a plan allows them',
        ],
        [
          'the payment for the next month fails',
          `the plan stays for ${graceDays} days, with what is left of the last month and without new credits; unless it is paid by then the subscription is ended and the plan is Free`,
        ],
        [
          'a payment is refunded or disputed',
          'its credits are taken back in proportion: what is left of them, then of other credits that do not expire; what was used is owed, and taken from the next packs that are bought and credits that are given, not from those of a plan. The plan stays: to end it, cancel the subscription at the processor',
        ],
        ['a dispute is won, or a refund fails', 'the credits are given back'],
      ],
    ),
  )
}
