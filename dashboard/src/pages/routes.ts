import type { FunctionComponent } from 'preact'
import type { User } from '../api/session.ts'
import { lazyPage } from '../ui/lazy-page.tsx'

export type Audience = 'caller' | 'operator' | 'everyone'

export interface PageRoute {
  path: string
  title: string
  /** Part of the navigation; pages without one are reached from others. */
  group?: 'Account' | 'Explore' | 'Operate'
  audience: Audience
  component: FunctionComponent
}

const Sec = lazyPage(() => import('./sec/sec.tsx'))

/** Every page: the router, the navigation and the command palette are made from this table. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: '/dashboard',
    title: 'Overview',
    group: 'Account',
    audience: 'caller',
    component: lazyPage(() => import('./overview/overview.tsx')),
  },
  {
    path: '/dashboard/keys',
    title: 'API keys',
    group: 'Account',
    audience: 'caller',
    component: lazyPage(() => import('./keys/keys.tsx')),
  },
  {
    path: '/dashboard/logs',
    title: 'Logs',
    group: 'Account',
    audience: 'caller',
    component: lazyPage(() => import('./logs/logs.tsx')),
  },
  {
    path: '/dashboard/billing',
    title: 'Billing',
    group: 'Account',
    audience: 'caller',
    component: lazyPage(() => import('./billing/billing.tsx')),
  },
  {
    path: '/dashboard/news',
    title: 'News',
    group: 'Explore',
    audience: 'caller',
    component: lazyPage(() => import('./news/news.tsx')),
  },
  {
    path: '/dashboard/assets',
    title: 'Assets',
    group: 'Explore',
    audience: 'caller',
    component: lazyPage(() => import('./assets/assets.tsx')),
  },
  {
    path: '/dashboard/assets/:id',
    title: 'Asset',
    audience: 'caller',
    component: lazyPage(() => import('./assets/asset.tsx')),
  },
  {
    path: '/dashboard/prediction-markets',
    title: 'Prediction markets',
    group: 'Explore',
    audience: 'caller',
    component: lazyPage(() => import('./prediction-markets/prediction-markets.tsx')),
  },
  {
    path: '/dashboard/sec',
    title: 'SEC filings',
    group: 'Explore',
    audience: 'caller',
    component: Sec,
  },
  {
    path: '/dashboard/sec/:id',
    title: 'SEC filings',
    audience: 'caller',
    component: Sec,
  },
  {
    path: '/dashboard/topics',
    title: 'Topics',
    group: 'Explore',
    audience: 'caller',
    component: lazyPage(() => import('./topics/topics.tsx')),
  },
  {
    path: '/dashboard/signals',
    title: 'Signals',
    group: 'Explore',
    audience: 'caller',
    component: lazyPage(() => import('./signals/signals.tsx')),
  },
  {
    path: '/dashboard/accounts',
    title: 'Accounts',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./accounts/accounts.tsx')),
  },
  {
    path: '/dashboard/accounts/:id',
    title: 'Account',
    audience: 'operator',
    component: lazyPage(() => import('./accounts/account.tsx')),
  },
  {
    path: '/dashboard/sources',
    title: 'Sources',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./sources/sources.tsx')),
  },
  {
    path: '/dashboard/health',
    title: 'Health',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./health/health.tsx')),
  },
  {
    path: '/dashboard/traffic',
    title: 'Traffic',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./traffic/traffic.tsx')),
  },
  {
    path: '/dashboard/payments',
    title: 'Payment events',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./payments/payments.tsx')),
  },
  {
    path: '/dashboard/signal-quality',
    title: 'Signal quality',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./signal-quality/signal-quality.tsx')),
  },
  {
    path: '/dashboard/audit-trail',
    title: 'Audit trail',
    group: 'Operate',
    audience: 'operator',
    component: lazyPage(() => import('./audit-trail/audit-trail.tsx')),
  },
  {
    path: '/dashboard/profile',
    title: 'Profile and security',
    audience: 'everyone',
    component: lazyPage(() => import('./profile/profile.tsx')),
  },
]

/** Returns whether a page is for this person. */
export function isFor({ audience }: PageRoute, { accountId, operatorScope }: User): boolean {
  if (audience === 'caller') return accountId !== null
  if (audience === 'operator') return operatorScope !== null
  return true
}
