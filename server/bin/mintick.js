#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 node --max-semi-space-size=8 --v8-pool-size=1
// The first flag makes V8's young generation large enough for the requests in flight: what outlives two of its collections costs a long
// one. A larger one would use more memory. The second gives V8 one background thread instead of four: during a garbage collection, a
// request on a busy core waits for all of them (decision 057). The variables let glibc return the memory of threads and buffers to the
// system (decision 046).
// Plain JavaScript, so that an old Node can parse it and print the message below.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { extname } from 'node:path'

const REQUIRED_NODE = 26

if (Number(process.versions.node.split('.')[0]) < REQUIRED_NODE) {
  console.error(
    `mintick: needs Node ${REQUIRED_NODE}, but this is ${process.version}; run "npm ci" with optional packages, then start it through npm ("npm start", "npx mintick …"), which uses the Node that npm ci installed.`,
  )
  process.exit(1)
}

// Caches compiled sources, types stripped, for later starts. Worker threads find the folder in the variable: without the
// cache, each of them would load the compiler first.
const { directory } = module.enableCompileCache()
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ||= directory
// Resolves the imports between our own files, which name whole paths. For each of 2,000 imports, Node would look for the file, for links in
// its path and for the package.json above it: a fifth of the time of a start.
const own = new URL('../', import.meta.url).href
const formats = { '.ts': 'module-typescript', '.js': 'module' }
module.registerHooks({
  resolve(specifier, context, next) {
    const format = specifier.startsWith('.') ? formats[extname(specifier)] : undefined
    if (format === undefined || !context.parentURL?.startsWith(own)) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true }
  },
})
// The package has compiled sources; a checkout has only its own.
const command = ['../src/commands/cli.ts', '../dist/commands/cli.js'].find((path) =>
  existsSync(new URL(path, import.meta.url)),
)
const { run } = await import(command)
await run(process.argv.slice(2))
