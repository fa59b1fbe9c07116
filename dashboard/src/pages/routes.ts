import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import type { User } from '../api/session.ts'

export type Audience = 'caller' | 'operator' | 'everyone'

export interface PageRoute {
  path: string
  title: string
  /** Part of the navigation; pages without one are reached from others. */
  group?: 'Account' | 'Explore' | 'Operate'
  audience: Audience
  component: FunctionComponent
}

/** Every page: the router, the navigation and the command palette are made from this table. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: '/dashboard',
    title: 'Overview',
    group: 'Account',
    audience: 'caller',
    component: lazy(() => import('./overview/overview.tsx')),
  },
  {
    path: '/dashboard/profile',
    title: 'Profile and security',
    audience: 'everyone',
    component: lazy(() => import('./profile/profile.tsx')),
  },
]

/** Returns whether a page is for this person. */
export function isFor({ audience }: PageRoute, { accountId, operatorScope }: User): boolean {
  if (audience === 'caller') return accountId !== null
  if (audience === 'operator') return operatorScope !== null
  return true
}
