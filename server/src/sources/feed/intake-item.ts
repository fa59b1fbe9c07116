import type { IntakeItem } from '../../ingest/entries/entry-intake.ts'
import { canonicalUrl } from '../../model/canonical-url.ts'
import { idOf } from '../../model/ids.ts'
import { webUrl } from '../../model/web-url.ts'
import type { FeedPublisher } from '../connector.ts'
import type { Feed, FeedItem } from './feed.ts'

/**
 * Returns the names under which a source knows its items, also when their addresses change. A guid that several items of
 * a feed have names none of them.
 */
export function namesOf(items: readonly FeedItem[]): string[] {
  const counts = new Map<string | null, number>()
  for (const { guid } of items) counts.set(guid, (counts.get(guid) ?? 0) + 1)
  return items.map((item) => {
    const guid = counts.get(item.guid) === 1 ? item.guid : null
    return guid ?? addressOf(item) ?? titleAndDate(item)
  })
}

/** Returns an item of a feed in the form of `mintick import entries`. */
export function toIntakeItem(
  item: FeedItem,
  from: { feed: Feed; publisher: FeedPublisher; sourceKey: string; entryId: string | undefined },
): IntakeItem {
  const { feed, publisher, sourceKey, entryId } = from
  const address = addressOf(item)
  const { name = feed.title, domain, countryCode, language, type } = publisher
  const { guid: _, publisher: original, ...fields } = item
  return {
    value: {
      ...fields,
      url: address ?? webUrl(feed.siteUrl ?? '')?.href ?? sourceKey,
      language: item.language ?? language ?? feed.language,
      publisher: original ?? { name, domain, countryCode, language, type },
    },
    entryId,
    // Without an address of its own an item is known by its title and date.
    ...(address === null && { ownId: idOf(`mintick:item:${sourceKey} ${titleAndDate(item)}`) }),
  }
}

function addressOf({ url, guid }: FeedItem): string | null {
  const address = webUrl(url ?? '') ?? webUrl(guid ?? '')
  return address === undefined ? null : canonicalUrl(address.href)
}

const titleAndDate = ({ title, publishedAt }: FeedItem) => `${title} ${publishedAt}`
