/**
 * Writes the dashboard into dist/: index.html, and files named after their contents, so that browsers may keep them forever. Plain
 * JavaScript, since it also runs after `npm ci` (tools/after-install.js).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { reference } from './reference.js'

const FOLDER = import.meta.dirname
const DIST = join(FOLDER, 'dist')
const FILES = '/dashboard/files'

rmSync(DIST, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: [join(FOLDER, 'src/main.tsx')],
  outdir: join(DIST, 'files'),
  absWorkingDir: FOLDER,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  minify: true,
  metafile: true,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [reference],
  logLevel: 'warning',
})

/** Returns the names of the entry's files with their imports, which the browser would otherwise find one after another. */
const [entry] = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint === 'src/main.tsx')
const [script, { cssBundle, imports }] = entry
const preloads = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
const urlOf = (path) => `${FILES}/${basename(path)}`

mkdirSync(DIST, { recursive: true })
writeFileSync(
  join(DIST, 'index.html'),
  readFileSync(join(FOLDER, 'index.html'), 'utf8').replace(
    '<!-- assets -->',
    [
      `<link rel="stylesheet" href="${urlOf(cssBundle)}">`,
      ...preloads.map((path) => `<link rel="modulepreload" href="${urlOf(path)}">`),
      `<script type="module" src="${urlOf(script)}"></script>`,
    ].join('\n'),
  ),
)
