import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that a dependency may have, by their SPDX names. */
const ALLOWED_LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Zlib',
]

/** Packages whose licence is acceptable although the table above does not have its name. */
const LICENCE_EXCEPTIONS: Record<string, { licence: string; reason: string }> = {
  'node_modules/usearch': { licence: 'Apache 2.0', reason: 'means Apache-2.0, as its file LICENSE says' },
  'node_modules/axe-core': { licence: 'MPL-2.0', reason: 'only the tests use it, unchanged' },
  'node_modules/argparse': { licence: 'Python-2.0', reason: 'permissive; only the tests use it' },
  'node_modules/@redocly/openapi-core/node_modules/argparse': {
    licence: 'PSF-2.0',
    reason: 'permissive; only the tests use it',
  },
}

interface Package {
  integrity?: string
  license?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

export type Packages = Record<string, Package>

/** Returns a line per package of the lockfile that an install could not verify, or whose licence is not permissive. */
export function checkPackages(packages: Packages, refusedScripts: readonly string[]): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .flatMap(([path, found]) => {
      const problems: string[] = []
      if (!found.integrity?.startsWith('sha512-')) problems.push('has no SHA-512 integrity hash')
      if (found.resolved !== undefined)
        problems.push('names its registry; install with omit-lockfile-registry-resolved')
      if (!isPermissive(path, found.license)) problems.push(`has the licence ${found.license ?? '(none)'}`)
      if (found.hasInstallScript && !refusedScripts.includes(nameOf(path))) {
        problems.push(
          'has an install script, which may load what the lockfile does not cover; refuse it in allowScripts',
        )
      }
      return problems.map((problem) => `${path} ${problem}`)
    })
}

/** Requires all licences of an expression such as "MIT OR Apache-2.0" to be allowed. */
function isPermissive(path: string, licence: string | undefined): boolean {
  if (licence === undefined) return false
  if (LICENCE_EXCEPTIONS[path]?.licence === licence) return true
  const names = licence.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /)
  return names.every((name) => ALLOWED_LICENCES.includes(name))
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? path
}

if (import.meta.main) {
  const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
  const { packages }: { packages: Packages } = read('package-lock.json')
  const { allowScripts }: { allowScripts: Record<string, boolean> } = read('package.json')
  const refused = Object.keys(allowScripts).filter((name) => allowScripts[name] === false)
  const problems = checkPackages(packages, refused)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`packages: ${Object.keys(packages).length} are verifiable and have permissive licences`)
}
