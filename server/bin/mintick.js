#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still read it and say what is missing.
const NEEDED = 26

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `mintick: Node ${NEEDED} is needed and this is ${process.version}; run "npm ci" with install scripts allowed, then start through npm ("npm start", "npx mintick …"), which uses the Node it installed.`,
  )
  process.exit(1)
}

import('../src/cli.ts').then((cli) => cli.run(process.argv.slice(2)))
