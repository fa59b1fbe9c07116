import { ConnectionError } from 'mintick-client'
import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import { Page } from './page.tsx'
import { ErrorNotice } from './states.tsx'

/** Loads the code of a page when the page is first shown. */
export function lazyPage(load: () => Promise<{ default: FunctionComponent }>): FunctionComponent {
  return lazy(() => load().catch(() => ({ default: NotLoaded })))
}

/** The browser does not try a failed import again. After an upgrade of the service, the file has another name. */
function NotLoaded() {
  return (
    <Page title="This page is not loaded">
      <ErrorNotice error={new ConnectionError('the code of the page did not arrive')} retry={() => location.reload()} />
    </Page>
  )
}
