import { readFileSync } from 'node:fs'

interface Line {
  forms: readonly string[]
  related: readonly string[]
}

let lines: ReadonlyMap<string, string> | undefined

/**
 * Returns words that mean about the same as the words with this stem, or belong to the same subject: "car" and "cars" for
 * "vehicl" (decision 051).
 */
export function relatedWords(stem: string): string[] {
  return lineOf(stem).related.flatMap((other) => lineOf(other).forms)
}

function lineOf(stem: string): Line {
  lines ??= readLines()
  const [forms = '', ...related] = lines.get(stem)?.split(' ') ?? []
  return { forms: forms.split(','), related }
}

function readLines(): Map<string, string> {
  const text = readFileSync(new URL('./related-words.txt', import.meta.url), 'utf8')
  return new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const end = line.indexOf(' ')
        return [line.slice(0, end), line.slice(end + 1)]
      }),
  )
}
