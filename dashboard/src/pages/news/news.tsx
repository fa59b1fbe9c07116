import { useAddress } from '../../ui/address.ts'
import { Page } from '../../ui/page.tsx'
import { Entries } from './entries.tsx'
import { Events } from './events.tsx'

/** News entries, and the events that several publishers report. */
export default function News() {
  const { path, values } = useAddress()
  const isEvents = values.view === 'events'
  return (
    <Page
      title="News"
      lede="Search by words or by meaning. Filters stay in the address, so that you can share a search."
      actions={
        <nav class="tabs" aria-label="Kinds of news">
          <a href={path} aria-current={isEvents ? undefined : 'page'}>
            Entries
          </a>
          <a href={`${path}?view=events`} aria-current={isEvents ? 'page' : undefined}>
            Events
          </a>
        </nav>
      }
    >
      {isEvents ? <Events /> : <Entries />}
    </Page>
  )
}
