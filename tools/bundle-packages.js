/**
 * Replaces entry files of installed packages with bundles of their files, which load faster (decision 060). `npm pack` adds the bundles of
 * bundleDependencies to the package.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { build } from 'esbuild'

const ENTRIES = {
  typebox: ({ exports }) => Object.values(exports).map((entry) => entry.import),
  stripe: ({ exports }) => [exports.default.import.default],
}
const CHUNKS = 'chunks-of-bundle'
/** Marks a package whose entry files are bundles already. Written last. */
const DONE = 'bundled'

for (const [name, entriesOf] of Object.entries(ENTRIES)) {
  const folder = join(import.meta.dirname, '../node_modules', name)
  if (existsSync(join(folder, DONE))) continue
  const entries = entriesOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const { outputFiles } = await build({
    entryPoints: entries.map((entry) => join(folder, entry)),
    outdir: folder,
    outbase: folder,
    outExtension: { '.js': extname(entries[0]) },
    chunkNames: `${CHUNKS}/[hash]`,
    bundle: true,
    // What entry files have in common, such as the settings, has to exist once.
    splitting: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    write: false,
  })
  // Chunks first: a run that is stopped must not leave entry files without theirs.
  const isChunk = ({ path }) => path.includes(CHUNKS)
  for (const { path, contents } of [...outputFiles].sort((a, b) => isChunk(b) - isChunk(a))) {
    // The file may be a hard link to that of another installation.
    rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  writeFileSync(join(folder, DONE), '')
}
