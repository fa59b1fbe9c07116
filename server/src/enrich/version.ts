/**
 * Raise it when the same text would be read differently: `mintick reindex` then reads the stored entries again. Kept in
 * a separate file, because enrich.ts loads the language detector.
 */
export const ENRICHMENT_VERSION = 4
