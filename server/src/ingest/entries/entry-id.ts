import { canonicalUrl } from '../../model/canonical-url.ts'
import { idOf } from '../../model/ids.ts'

/** Returns the same id for all links to an article. */
export function entryIdOf(address: string): string {
  const url = new URL(canonicalUrl(address))
  url.protocol = 'https:'
  url.hostname = url.hostname.replace(/^www\./, '')
  return idOf(`mintick:entry:${url.href.replace(/\/(?=$|\?)/, '')}`)
}
