import { canonicalUrl } from '../../model/canonical-url.ts'
import { idOf } from '../../model/ids.ts'
import { webUrl } from '../../model/web-url.ts'
import type { FeedPublisher } from '../connector.ts'
import type { Feed, FeedItem } from './feed.ts'

/** An item as intake takes it. */
export interface OfferedItem {
  value: object
  /** The entry that it became before, or that it has to become because it has no address of its own. */
  entryId?: string | undefined
}

/** Returns an item of a feed in the form of `mintick import entries`. */
export function toRawEntry(
  item: FeedItem,
  from: { feed: Feed; publisher: FeedPublisher; sourceKey: string; knownId: string | undefined },
): OfferedItem {
  const { feed, publisher, sourceKey, knownId } = from
  const address = addressOf(item)
  const { name = feed.title, domain, countryCode, type } = publisher
  const { guid: _, publisher: original, ...fields } = item
  return {
    value: {
      ...fields,
      // Without an address of its own an item is known by its title and date.
      url: address ?? feed.siteUrl ?? sourceKey,
      language: item.language ?? publisher.language ?? feed.language,
      publisher: original ?? { name, domain, countryCode, language: publisher.language, type },
    },
    entryId: knownId ?? (address === null ? idOf(`mintick:item:${sourceKey} ${item.title} ${item.publishedAt}`) : undefined),
  }
}

function addressOf({ url, guid }: FeedItem): string | null {
  const address = webUrl(url ?? '') ?? webUrl(guid ?? '')
  return address === undefined ? null : canonicalUrl(address.href)
}
