import { DEMO_KEY } from '../../admission/key.ts'
import { PYTHON_CLIENT_PATH } from '../../api/service/endpoints.ts'
import { API_PREFIX } from '../../http/endpoint.ts'
import { type Html, html } from '../../model/html.ts'
import { type Entry, groupPath } from './layout.ts'
import { codeBlock, inline } from './markdown-html.ts'
import { costOf } from './operation-section.ts'
import type { Group } from './operations.ts'

/** Returns the first page: how to call the API, and all endpoints in one table per group. */
export function overview(groups: readonly Group[], guides: readonly Entry[], publicUrl: string): Html {
  return html`<p class="lead">Financial news, clusters of related news, assets, markets, prediction markets, SEC filings and signals, as JSON over HTTP.</p>
<h2 id="first-call">First call</h2>
<p>${inline(`The API is at \`${publicUrl}${API_PREFIX}\`. Send your key with every request. The shared demo key, \`${DEMO_KEY}\`, works at once:`)}</p>
${codeBlock(`curl -H "Authorization: Bearer ${DEMO_KEY}" "${publicUrl}${API_PREFIX}/entries?limit=1"`, 'First call')}
<p>${inline('Every answer is an object: `success`, `data`, and in lists `meta`. Fields are always present, and null if a value is unknown. Times are ISO 8601 in UTC. Parameters with several values take them separated by commas.')}</p>
<p>${inline('In the examples, the environment variable `KEY` has your API key. Their answers come from the sample data; lists in them are shortened. TypeScript uses the package `mintick-client`, and Python a single file that this service has:')}</p>
${codeBlock(`curl -O ${publicUrl}${PYTHON_CLIENT_PATH}`, 'Get the Python client')}
<h2 id="guides">Guides</h2>
<ul class="cards">${guides.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>\n`)}</ul>
${groups.map(
  ({ name, title, description, operations }) => html`<h2 id="${name}"><a href="${groupPath(name)}">${title}</a></h2>
<p>${inline(description)}.</p>
<table class="index" aria-labelledby="${name}"><thead class="hidden"><tr><th scope="col">Endpoint</th><th scope="col">Purpose</th><th scope="col">Cost</th></tr></thead>
<tbody>${operations.map(
    ({ id, method, path, summary, operation, access }) => html`<tr>
<td><a href="${groupPath(name)}#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path.replace(API_PREFIX, '')}</code></a></td>
<td>${summary}</td>
<td class="cost">${access === 'key' ? costOf(operation) : ''}</td>
</tr>\n`,
  )}</tbody></table>\n`,
)}`
}
