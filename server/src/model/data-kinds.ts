/** The kinds of data that the service keeps current. */
export const DATA_KINDS = ['news', 'candles', 'prediction-markets', 'filings', 'signals'] as const

export type DataKind = (typeof DATA_KINDS)[number]
