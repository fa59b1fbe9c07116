export const KEYWORDS = new Set([
  'import',
  'from',
  'in',
  'is',
  'class',
  'def',
  'for',
  'global',
  'pass',
  'with',
  'as',
  'not',
])

/** Returns a camelCase name as Python writes it. */
export function pythonName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}
