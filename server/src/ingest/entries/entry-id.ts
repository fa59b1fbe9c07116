import { idOf } from '../../model/ids.ts'

/** Tracking parameters, which do not identify the article. */
const TRACKING = /^(utm_.*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hs.*|ocid|cmpid|guccounter|guce_.*)$/i

/** Returns the same id for all links to an article. */
export function entryIdOf(address: string): string {
  const url = new URL(address)
  url.hash = ''
  url.protocol = 'https:'
  url.hostname = url.hostname.replace(/^www\./, '')
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  return idOf(`mintick:entry:${url.href.replace(/\/(?=$|\?)/, '')}`)
}
