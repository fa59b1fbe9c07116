/** Tracking parameters, which do not identify the article. */
const TRACKING = new RegExp(
  `^(?:${[
    'utm_.*|at_(?:medium|campaign|link_.*|format|ptr_.*|bbc_team|custom\\d)|wt\\.[mz]c.*|pk_.*|mtm_.*|_hs.*|hsa_.*|guce_.*|ns_.*',
    'fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_[ce]id|mkt_tok|_ga|_gl',
    'ocid|cmpid|cmp|ncid|s_cid|ito|xtor|taid|smid|smtyp|soc_src|soc_trk|ftag|guccounter|__twitter_impression',
  ].join('|')})$`,
  'i',
)

/** Returns a URL without fragment, default port and tracking parameters. Throws if the text is not an absolute URL. */
export function canonicalUrl(address: string): string {
  const url = new URL(address.trim())
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  return url.href
}
