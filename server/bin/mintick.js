#!/usr/bin/env -S node --max-semi-space-size=4
// The flag keeps V8's young generation small: a larger one makes no request faster, only the process larger.
// Plain JavaScript, so that an old Node can still read it and say what is missing.
import module from 'node:module'

const NEEDED = 26

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `mintick: Node ${NEEDED} is needed and this is ${process.version}; run "npm ci" with install scripts allowed, then start through npm ("npm start", "npx mintick …"), which uses the Node it installed.`,
  )
  process.exit(1)
}

// Later starts find the sources already stripped of their types and compiled.
module.enableCompileCache()
const { run } = await import('../src/commands/cli.ts')
await run(process.argv.slice(2))
