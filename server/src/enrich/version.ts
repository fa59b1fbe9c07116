/** Raised when the same text would be read differently, so that what was read before can be told from what is read now. */
export const ENRICHMENT_VERSION = 1
