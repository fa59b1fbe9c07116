const WHOLE: Readonly<Record<string, string>> = {
  search: 'Words',
  query: 'Meaning',
  sortBy: 'Order',
  topicSlug: 'Topic',
  limit: 'Page size',
  asOf: 'As of',
  cik: 'CIK',
  ciks: 'CIKs',
  cusip: 'CUSIP',
  isin: 'ISIN',
  figi: 'FIGI',
  lei: 'LEI',
  isXbrl: 'XBRL',
  is10b5One: 'Plan under rule 10b5-1',
  acquiredDisposed: 'Acquired or disposed of',
}

/** Returns the name of a field for people: companyName is "Company name", isOfficer "Officer", sentimentScoreMin "Sentiment score, at least". */
export function nameOf(field: string): string {
  const whole = WHOLE[field]
  if (whole !== undefined) return whole
  const limit = field.endsWith('Min') ? ', at least' : field.endsWith('Max') ? ', at most' : ''
  const words = (limit === '' ? field : field.slice(0, -3))
    .replace(/^is(?=[A-Z])/, '')
    .replaceAll(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replaceAll(/\b(?:cik|cusip|url|usd|sec|id)\b/g, (word) => word.toUpperCase())
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${limit}`
}
