import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Bundles a module as an application does. `folder` is where its imports are resolved. */
export async function bundle(source: string, folder: string): Promise<{ code: string; gzippedBytes: number }> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  })
  const code = outputFiles[0]?.text ?? ''
  return { code, gzippedBytes: gzipSync(code, { level: 9 }).length }
}
