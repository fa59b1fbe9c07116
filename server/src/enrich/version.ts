/**
 * Raise it when the same text would be read differently: `mintick reindex` then reads the stored entries again. In a
 * file of its own, since enrich.ts loads the language detector.
 */
export const ENRICHMENT_VERSION = 1
