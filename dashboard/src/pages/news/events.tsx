import type { ClusterItem } from 'mintick-client'
import { useAddress } from '../../ui/address.ts'
import { formatNumber } from '../../ui/format.ts'
import { ListForm, ListResult, useList } from '../../ui/list-view.tsx'
import { Assets, Sentiment, Topics } from '../../ui/market-data.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { ClusterPart } from './cluster-part.tsx'

const USUAL = ['search', 'ticker', 'topicSlug', 'status', 'publisherCountMin', 'lastPublishedAfter', 'sortBy']

/** Events: entries of several publishers about the same. */
export function Events() {
  const { values, linkTo } = useAddress()
  const list = useList({ method: 'clusters.list', path: '/clusters' })
  const { open } = values
  const listed = list.paid.query.data?.data.find(({ id }) => id === open)
  return (
    <>
      <ListForm of={list} usual={USUAL} />
      <ListResult of={list} openId={open} none="No event matches.">
        {(events) => (
          <ol class="feed">
            {events.map((event) => (
              <Event key={event.id} event={event} href={linkTo({ open: event.id })} />
            ))}
          </ol>
        )}
      </ListResult>
      {open !== undefined && (
        <Panel key={open} title={listed?.title ?? 'Event'} closeTo={linkTo({ open: undefined })}>
          {listed?.summary && <p>{listed.summary}</p>}
          <ClusterPart id={open} />
        </Panel>
      )}
    </>
  )
}

function Event({ event, href }: { event: ClusterItem; href: string }) {
  return (
    <li>
      <span class="feed-time quiet small">
        <Time at={event.lastPublishedAt} />
      </span>
      <div>
        <a class="headline" href={href}>
          {event.title}
        </a>
        <p class="feed-facts small">
          <span class="quiet">
            {formatNumber(event.entryCount)} entries, {formatNumber(event.publisherCount)} publishers
          </span>
          <Assets keys={event.assetKeys} />
          <Topics slugs={event.topicSlugs.slice(0, 3)} />
        </p>
      </div>
      <span class="feed-score">
        <Sentiment score={event.sentimentScore} />
      </span>
    </li>
  )
}
