import { DEMO_KEY } from '../../admission/key.ts'
import { PYTHON_CLIENT_PATH } from '../../api/service/endpoints.ts'
import { API_PREFIX } from '../../http/endpoint.ts'
import { MAX_LIMIT } from '../../http/params.ts'
import type { Entry } from './layout.ts'
import { costOf, needsOf } from './operation-section.ts'
import type { Group, SiteOperation } from './operations.ts'

/** Returns what a program that writes code for the API has to know, in Markdown (llmstxt.org). */
export function llmsText(groups: readonly Group[], guides: readonly Entry[], publicUrl: string): string {
  return `# Mintick

> Financial news, clusters of related news, assets, markets with candles, prediction markets, SEC filings and signals as JSON over HTTP.

- Base URL: ${publicUrl}${API_PREFIX}. Send \`Authorization: Bearer <API_KEY>\` with every request; \`${DEMO_KEY}\` is a shared demo key.
- Answers: \`{"success": true, "data": …, "meta": …}\`. Errors: \`{"success": false, "error": {"message", "code", "details"}, "statusCode", "timestamp"}\`; decide by \`error.code\`.
- Fields are in camelCase and always present, null if unknown. Times are ISO 8601 in UTC. Several values of a parameter are separated by commas.
- Lists: \`limit\` up to ${MAX_LIMIT}. Most are paged by cursor: send \`meta.nextCursor\` as \`after\` until \`meta.hasMore\` is false.
- Requests cost credits before the multiplier of the plan; \`X-Credits-Cost\` and \`X-Credits-Remaining\` report them. After 429 wait for the seconds in \`Retry-After\`.
- Clients: the package \`mintick-client\` for TypeScript, ${publicUrl}${PYTHON_CLIENT_PATH} for Python.
- POST requests with an \`Idempotency-Key\` may be repeated.

## Documents

- [OpenAPI](${publicUrl}/openapi.json): every parameter, field and error, with an example of each call
${guides.map(({ path, title }) => `- [${title}](${publicUrl}${path}.md)`).join('\n')}

${groups.map((group) => groupText(group, publicUrl)).join('\n\n')}
`
}

function groupText({ name, title, description, operations }: Group, publicUrl: string): string {
  const about = `${description}. [Reference](${publicUrl}/docs/${name})`
  return `## ${title}\n\n${about}\n\n${operations.map(operationLine).join('\n')}`
}

function operationLine(site: SiteOperation): string {
  const { method, path, summary, access, operation } = site
  const needs =
    access === 'key' && operation['x-needs'] === undefined && !operation['x-refuses-demo'] ? '' : needsOf(site)
  const notes = [...(access === 'key' ? [costOf(operation)] : []), ...(needs === '' ? [] : [needs])]
  return `- ${method} ${path.replace(API_PREFIX, '')}: ${summary} (${notes.join('; ').toLowerCase()})`
}
