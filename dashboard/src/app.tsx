import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { currentUser, session } from './api/session.ts'
import { isFor, ROUTES } from './pages/routes.ts'
import { SignedOut } from './pages/sign-in/signed-out.tsx'
import { Layout } from './ui/layout.tsx'
import { Page } from './ui/page.tsx'
import { Empty, ErrorNotice } from './ui/states.tsx'

const failure = signal<Error | undefined>(undefined)
const isLoading = signal(false)

export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <Signed />
    </LocationProvider>
  )
}

/** Pages of mailed links, which also a person who is signed in may open. */
const LINKED = /^\/dashboard\/(?:link|reset)$/
const GATES = /^\/dashboard\/sign-(?:in|up)$/

function Signed() {
  const { path, route } = useLocation()
  const user = session.value?.user
  const isInside = user != null && !LINKED.test(path)
  useEffect(() => {
    if (isInside && GATES.test(path)) route('/dashboard', true)
  }, [isInside, path])
  if (user === undefined) return null
  if (user === null || !isInside) return <SignedOut />
  return (
    <Layout>
      <div class={isLoading.value ? 'progress running' : 'progress'} />
      {failure.value !== undefined && <ErrorNotice error={failure.value} retry={() => location.reload()} />}
      <ErrorBoundary
        onError={(error) => {
          failure.value = error
        }}
      >
        <Router
          onLoadStart={() => {
            isLoading.value = true
          }}
          onLoadEnd={() => {
            isLoading.value = false
          }}
          onRouteChange={() => {
            failure.value = undefined
          }}
        >
          {ROUTES.filter((page) => isFor(page, user)).map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={Missing} />
        </Router>
      </ErrorBoundary>
    </Layout>
  )
}

function Missing() {
  const { path, route } = useLocation()
  // The overview is about an account, which operators need not have.
  const first = ROUTES.find((page) => page.group !== undefined && isFor(page, currentUser()))
  const isStart = path === '/dashboard' && first !== undefined
  useEffect(() => {
    if (isStart) route(first.path, true)
  }, [isStart])
  if (isStart) return null
  return (
    <Page title="No such page">
      <Empty title="There is nothing here, or it is not for your role.">
        <a href="/dashboard">Go to the overview</a>
      </Empty>
    </Page>
  )
}
