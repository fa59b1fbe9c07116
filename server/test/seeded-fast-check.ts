import fc from 'fast-check'

/** A fixed seed: property tests draw the same examples in every run. */
fc.configureGlobal({ seed: 1 })

export default fc
