import fc from 'fast-check'

/** Texts with a few characters replaced by one of `added`, in up to four places. */
export function damagedText(texts: readonly string[], added: readonly string[]): fc.Arbitrary<string> {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(12),
    added: fc.constantFrom(...added),
  })
  return fc.tuple(fc.constantFrom(...texts), fc.array(damage, { minLength: 1, maxLength: 4 })).map(([text, damages]) =>
    damages.reduce((rest, { at, removed, added: piece }) => {
      const start = Math.floor(at * rest.length)
      return rest.slice(0, start) + piece + rest.slice(start + removed)
    }, text),
  )
}
