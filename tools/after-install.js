/**
 * Runs after `npm ci`: removes files of packages that nothing here reads, and in the repository bundles packages and builds the dashboard.
 * Plain JavaScript for old versions of Node, since the system's Node runs it on a platform for which there is no package. A failure leaves
 * the files there, starts slower, or the service without a dashboard.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const UNUSED = [
  // C headers of Node, 67 MB.
  ...Object.keys(optionalDependencies).map((name) => `${name}/include`),
  // Sources of the binary in usearch/prebuilds, 15 MB.
  ...['c', 'cmake', 'cpp', 'include', 'numkong'].map((folder) => `usearch/${folder}`),
]

// A package is installed with the packages it needs beside it, a global one with them below it.
const beside = basename(dirname(root)) === 'node_modules' ? [dirname(root)] : []

for (const path of [join(root, 'node_modules'), ...beside].flatMap((folder) =>
  UNUSED.map((name) => join(folder, name)),
)) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    console.error(`failed to remove ${path}: ${error.message}`)
  }
}

// The package comes with a bundled typebox and the built dashboard.
const builds = { 'bundle packages': 'tools/bundle-packages.js', 'build the dashboard': 'dashboard/build.js' }
for (const [task, file] of Object.entries(builds)) {
  const build = join(root, file)
  if (!existsSync(build)) continue
  try {
    await import(pathToFileURL(build))
  } catch (error) {
    console.error(`failed to ${task}: ${error.message}`)
  }
}
