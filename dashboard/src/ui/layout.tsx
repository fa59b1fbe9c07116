import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { balance } from '../api/clients.ts'
import { setTheme, type Theme, theme } from '../api/preferences.ts'
import { currentUser, signOut } from '../api/session.ts'
import { isFor, ROUTES } from '../pages/routes.ts'
import { formatCredits } from './format.ts'
import { openPalette, Palette } from './palette.tsx'

const GROUPS = ['Account', 'Explore', 'Operate'] as const

/** The frame of every page of a person who is signed in. */
export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation()
  const main = useRef<HTMLElement>(null)
  const menu = useRef<HTMLInputElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (menu.current !== null) menu.current.checked = false
    // At the first page, focus belongs to the browser.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
    scrollTo(0, 0)
  }, [path])
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <input ref={menu} id="menu" type="checkbox" class="hidden" aria-label="Show the navigation" />
        <label for="menu" class="menu-button" aria-hidden="true">
          ☰
        </label>
        <a class="brand" href="/dashboard">
          Mintick
        </a>
        <button type="button" class="search-button" onClick={openPalette}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <span class="spring" />
        {balance.value !== undefined && <span class="balance">{formatCredits(balance.value)}</span>}
        <UserMenu />
      </header>
      <Navigation path={path} />
      <main id="content" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Palette />
    </div>
  )
}

function Navigation({ path }: { path: string }) {
  const user = currentUser()
  return (
    <nav class="side" aria-label="Pages">
      {GROUPS.map((group) => {
        const pages = ROUTES.filter((page) => page.group === group && isFor(page, user))
        return (
          pages.length > 0 && (
            <div key={group}>
              <p>{group}</p>
              <ul>
                {pages.map((page) => (
                  <li key={page.path}>
                    <a href={page.path} aria-current={isWithin(path, page.path) ? 'page' : undefined}>
                      {page.title}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )
        )
      })}
      <div>
        <p>Help</p>
        <ul>
          <li>
            <a href="/docs" target="_self">
              Reference
            </a>
          </li>
        </ul>
      </div>
    </nav>
  )
}

const isWithin = (path: string, page: string) => path === page || (page !== '/dashboard' && path.startsWith(`${page}/`))

function UserMenu() {
  const { email } = currentUser()
  return (
    <>
      <button type="button" class="plain user" popovertarget="user-menu" aria-label="Your account">
        <span aria-hidden="true">{(email ?? 'owner').slice(0, 1).toUpperCase()}</span>
      </button>
      <div id="user-menu" popover="auto" class="popover menu">
        <p class="quiet small">{email ?? 'Owner'}</p>
        <a href="/dashboard/profile">Profile and security</a>
        <label>
          Colours
          <select value={theme.value} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
            <option value="auto">of the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <button type="button" class="second" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </>
  )
}
