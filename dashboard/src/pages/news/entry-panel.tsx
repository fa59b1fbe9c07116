import type { Entry } from 'mintick-client'
import { usePaidQuery } from '../../api/paid-query.ts'
import { addressOf } from '../../ui/address.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { formatPercent } from '../../ui/format.ts'
import { Assets, Outside, Sentiment, Topics } from '../../ui/market-data.tsx'
import { PaidPart } from '../../ui/paid-part.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { SignalList } from '../signals/signal-list.tsx'
import { ClusterPart } from './cluster-part.tsx'

/** An entry with its assets, its event and its signals. */
export function EntryPanel({ id, listed, closeTo }: { id: string; listed: Entry | undefined; closeTo: string }) {
  const path = `/entries/${encodeURIComponent(id)}`
  const entry = usePaidQuery({
    path,
    method: 'entries.get',
    args: [id],
    params: { include: 'entities,publisher,cluster' },
  })
  const signals = usePaidQuery({
    path: `/signals/by-entry/${encodeURIComponent(id)}`,
    method: 'signals.byEntry',
    args: [id],
  })
  const known = entry.query.data ?? listed
  return (
    <Panel title={known?.title ?? 'Entry'} closeTo={closeTo}>
      {known !== undefined && <Facts entry={known} />}
      <PaidPart title="Assets it names" of={entry}>
        {({ entities = [] }) => <Entities of={entities} />}
      </PaidPart>
      <PaidPart title="Signals based on it" of={signals}>
        {(found) => (found.length === 0 ? <p class="quiet">None.</p> : <SignalList signals={found} />)}
      </PaidPart>
      {known?.cluster && <ClusterPart id={known.cluster.id} />}
    </Panel>
  )
}

function Facts({ entry }: { entry: Entry }) {
  const { excerpt, url, urlDomain, author, language, sentimentScore, assetKeys, topicSlugs, publisher } = entry
  return (
    <>
      {excerpt !== null && <p lang={language ?? undefined}>{excerpt}</p>}
      <p>
        <Outside href={url}>Read it at {urlDomain}</Outside>
      </p>
      <dl class="facts">
        <dt>Publisher</dt>
        <dd>
          {publisher === undefined ? (
            urlDomain
          ) : (
            <a href={addressOf('/dashboard/news', { publisherSlug: publisher.slug })}>{publisher.name}</a>
          )}
        </dd>
        {author !== null && (
          <>
            <dt>Author</dt>
            <dd>{author}</dd>
          </>
        )}
        <dt>Published</dt>
        <dd>
          <Time at={entry.publishedAt} />
        </dd>
        <dt>Arrived</dt>
        <dd>
          <Time at={entry.createdAt} />
        </dd>
        <dt>Language</dt>
        <dd>{language ?? 'not recognised'}</dd>
        <dt>Sentiment</dt>
        <dd>
          <Sentiment score={sentimentScore} />
        </dd>
        {assetKeys.length > 0 && (
          <>
            <dt>Assets</dt>
            <dd>
              <Assets keys={assetKeys} most={20} />
            </dd>
          </>
        )}
        {topicSlugs.length > 0 && (
          <>
            <dt>Topics</dt>
            <dd>
              <Topics slugs={topicSlugs} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

function Entities({ of }: { of: NonNullable<Entry['entities']> }) {
  if (of.length === 0) return <p class="quiet">None.</p>
  return (
    <DataTable
      caption="Assets that the entry names"
      rows={of}
      keyOf={({ assetKey }) => assetKey}
      columns={[
        {
          title: 'Asset',
          cell: ({ assetKey, name }) => (
            <>
              <Assets keys={[assetKey]} /> {name}
            </>
          ),
        },
        { title: 'Relevance', isNumber: true, cell: ({ relevanceScore }) => formatPercent(relevanceScore) },
        { title: 'Sentiment', isNumber: true, cell: ({ sentimentScore }) => <Sentiment score={sentimentScore} /> },
      ]}
    />
  )
}
