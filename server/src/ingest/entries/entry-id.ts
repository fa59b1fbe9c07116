import { idOf } from '../../model/ids.ts'

/** What says where a reader came from, not what is read. */
const TRACKING = /^(utm_.*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hs.*|ocid|cmpid|guccounter|guce_.*)$/i

/** The same for the same article, however it was linked to. */
export function entryIdOf(address: string): string {
  const url = new URL(address)
  url.hash = ''
  url.protocol = 'https:'
  url.hostname = url.hostname.replace(/^www\./, '')
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  return idOf(`mintick:entry:${url.href.replace(/\/(?=$|\?)/, '')}`)
}
