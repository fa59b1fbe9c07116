import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endpoints } from '../api/index.ts'
import { version } from '../version.ts'
import { fieldsPage } from './fields-page.ts'
import { jsonText } from './json-text.ts'
import { markdownPages } from './markdown-pages.ts'
import { openApiOf } from './openapi.ts'
import { recordExamples } from './record-examples.ts'
import { pythonClient } from './sdk-python.ts'
import { typescriptClient } from './sdk-typescript.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PYTHON = 'sdk/python/mintick.py'

/**
 * Writes openapi.json, docs/reference, docs/guides and the generated parts of sdk/. With `check` it writes nothing, names the
 * files that are out of date and returns false if there are any.
 */
export async function generate(check: boolean): Promise<boolean> {
  const stale = Object.entries(await generatedFiles()).filter(([path, text]) => textOf(path) !== text)
  for (const [path, text] of stale) {
    if (check) {
      process.stderr.write(`${path} is out of date; run "npm run generate"\n`)
    } else {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true })
      writeFileSync(join(ROOT, path), text)
    }
  }
  return !check || stale.length === 0
}

function textOf(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

async function generatedFiles(): Promise<Record<string, string>> {
  const info = {
    title: 'Mintick',
    version,
    description:
      'Financial news, clusters, markets, prediction markets, SEC filings and signals over HTTP, by API key. Requests cost credits. The examples are answers of the service with its sample data; their lists are shortened.',
    license: { name: 'MIT', identifier: 'MIT' },
  }
  const openApi = openApiOf(endpoints, info, await recordExamples(endpoints))
  return {
    'openapi.json': jsonText(openApi),
    'docs/reference/fields.md': fieldsPage(openApi),
    ...markdownPages(),
    ...typescriptClient(endpoints, openApi),
    [PYTHON]: pythonClient(endpoints, openApi, textOf(PYTHON) ?? ''),
  }
}
