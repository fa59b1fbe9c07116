import type { Entry } from 'mintick-client'
import { Assets, Sentiment, Topics } from '../../ui/market-data.tsx'
import { Time } from '../../ui/time.tsx'

interface EntryListProps {
  entries: readonly Pick<
    Entry,
    | 'id'
    | 'title'
    | 'urlDomain'
    | 'language'
    | 'sentimentScore'
    | 'assetKeys'
    | 'topicSlugs'
    | 'publishedAt'
    | 'publisher'
    | 'cluster'
  >[]
  linkTo: (id: string) => string
}

/** Headlines, each with its publisher, assets, topics and sentiment. */
export function EntryList({ entries, linkTo }: EntryListProps) {
  return (
    <ol class="feed">
      {entries.map(
        ({
          id,
          title,
          urlDomain,
          language,
          sentimentScore,
          assetKeys,
          topicSlugs,
          publishedAt,
          publisher,
          cluster,
        }) => (
          <li key={id}>
            <span class="feed-time quiet small">
              <Time at={publishedAt} />
            </span>
            <div>
              <a class="headline" href={linkTo(id)} lang={language ?? undefined}>
                {title}
              </a>
              <p class="feed-facts small">
                <span class="quiet">{publisher?.name ?? urlDomain}</span>
                {language !== null && <span class="quiet">{language}</span>}
                {cluster && <span class="quiet">{cluster.publisherCount} publishers</span>}
                <Assets keys={assetKeys} />
                <Topics slugs={topicSlugs} />
              </p>
            </div>
            <span class="feed-score">
              <Sentiment score={sentimentScore} />
            </span>
          </li>
        ),
      )}
    </ol>
  )
}
