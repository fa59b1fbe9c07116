/** The number of entries in the sample world. Apart from the world, so that the main thread need not load it. */
export const SAMPLE_ENTRIES = 6_000
