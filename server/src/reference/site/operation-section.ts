import { ERROR_STATUS } from '../../model/errors.ts'
import { type Html, html } from '../../model/html.ts'
import { DEMO_PLAN, FEATURES, PLANS } from '../../plans/plans.ts'
import { atUrl, SAMPLE_URL } from '../code-samples.ts'
import { nameIn } from '../fields-page.ts'
import type { JsonSchema, Operation, Parameter } from '../openapi.ts'
import { answerFields, fieldList, typeText } from './fields.ts'
import { anchorOf, codeBlock, inline } from './markdown-html.ts'
import { capitalised, type SiteOperation } from './operations.ts'

interface Context {
  schemas: Record<string, JsonSchema>
  publicUrl: string
}

/** Returns the description of an operation beside its code. */
export function operationSection(operation: SiteOperation, context: Context): Html {
  const { id, method, path, summary, description, parameters, body, access } = operation
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title" data-method="${method}" data-path="${path}" data-access="${access}"${tryItData(operation)}>
<div class="about">
<h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<ul class="facts">${factsOf(operation).map((fact) => html`<li>${fact}</li>`)}</ul>
${description === undefined ? '' : html`<p>${inline(description)}</p>`}
${parameters.length === 0 ? '' : html`<h3 id="${id}-parameters">Parameters</h3>\n${parameterTable(operation)}`}
${body && html`<h3 id="${id}-body">Body</h3>\n<p>${inline(body.description ?? 'An object in JSON')}</p>\n${fieldList(body.schema, context.schemas, false)}`}
${answerPart(operation, context)}
<h3 id="${id}-errors">Errors</h3>
${errorList(operation.operation)}
</div>
${codePart(operation, context)}
</section>
`
}

/** The script makes a form from the parameters and these attributes; it cannot send the header of a WebSocket. */
function tryItData({ answer, samples, body, access, operation }: SiteOperation): Html | string {
  const [, path] = new RegExp(`${SAMPLE_URL}([^"]*)`).exec(samples[0]?.source ?? '') ?? []
  if (access === 'operator' || path === undefined || '101' in operation.responses || answer.kind === 'file') return ''
  const text = body && JSON.stringify(body.example ?? {}, null, 2)
  return html` data-example="${path}"${answer.kind === 'stream' ? html` data-stream` : ''}${text === undefined ? '' : html` data-body="${text}"`}`
}

/** Returns the cost in words. */
export function costOf({ 'x-credits': { base, perMinute, perRows, perFile, with: dearer } }: Operation): string {
  const credits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`)
  if (perMinute !== undefined) return `${credits(perMinute)} per minute`
  if (perFile) return 'The price of the file, once'
  if (perRows !== undefined) return `${credits(base)} per ${perRows} rows`
  if (dearer !== undefined) return `${credits(base)}, ${dearer.credits} with ${dearer.parameter}`
  return base === 0 ? 'Free' : credits(base)
}

/** Returns what a caller needs besides credits. */
export function needsOf({ access, operation }: SiteOperation): string {
  if (access === 'open') return 'No key'
  if (access === 'operator') return `Operator's token: ${operation['x-operator-scope']}`
  const { 'x-needs': feature, 'x-refuses-demo': refusesDemo } = operation
  if (feature === undefined) return refusesDemo ? 'Your own key' : 'Any key'
  const plans = Object.values(PLANS).filter((plan) => FEATURES[feature].allows(plan))
  return `${capitalised(FEATURES[feature].name)}: ${plans.map(({ name }) => name).join(', ')}`
}

const PAGED: Record<string, string> = { CursorMeta: 'by cursor', PageMeta: 'by number', OffsetMeta: 'by offset' }

function factsOf(operation: SiteOperation): (Html | string)[] {
  const { access, answer } = operation
  const meta = answer.schema.properties?.meta?.$ref
  const paged = meta && PAGED[nameIn(meta)]
  return [
    ...(access === 'operator'
      ? []
      : [html`<a href="/docs/plans#cost-of-a-request">${costOf(operation.operation)}</a>`]),
    html`${needsOf(operation)}`,
    ...(paged === undefined
      ? []
      : [html`<a href="/docs/guides/paging#lists-paged-${anchorOf(paged)}">Paged ${paged}</a>`]),
  ]
}

function parameterTable({ id, parameters, access, operation }: SiteOperation): Html {
  const feature = operation['x-needs']
  const isForDemo =
    access === 'key' && !operation['x-refuses-demo'] && (feature === undefined || FEATURES[feature].allows(DEMO_PLAN))
  return html`<table class="parameters" aria-labelledby="${id}-parameters">
<thead><tr><th scope="col">Name and type</th><th scope="col">Default</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${parameters.map((parameter) => parameterRow(parameter, isForDemo))}</tbody>
</table>\n`
}

function parameterRow(parameter: Parameter, isForDemo: boolean): Html {
  const { name, in: place, required, description = '', schema } = parameter
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : schema.items?.enum)
  const preset = schema.default === undefined ? undefined : String(schema.default)
  const demo = isForDemo ? withDemoKey(parameter) : undefined
  return html`<tr data-in="${place}" data-name="${name}"${values && html` data-values="${values.join(' ')}"`}>
<th scope="row"><code>${name}</code>${place === 'header' ? html` <span class="note">header</span>` : ''} <span class="type">${inline(typeText(schema))}</span></th>
<td class="preset">${required ? html`<span class="note">required</span>` : preset === undefined ? '' : html`<code>${preset}</code>`}</td>
<td>${inline(description)}${demo === undefined ? '' : html` <span class="demo">Demo key: ${demo}.</span>`}</td>
</tr>\n`
}

function withDemoKey(parameter: Parameter): string | undefined {
  if (parameter['x-own-key']) return 'ignored'
  if (parameter['x-paging']) return 'refused'
  const maximum = parameter['x-demo-maximum']
  return maximum === undefined ? undefined : `at most ${maximum}`
}

function answerPart({ id, answer }: SiteOperation, { schemas }: Context): Html {
  if (answer.kind !== 'envelope') {
    return html`<h3 id="${id}-answer">${answer.kind === 'stream' ? 'Events' : 'Rows'}</h3>\n<p>${inline(answer.description)}</p>\n${answerFields(answer.schema, schemas)}`
  }
  const { data = {}, meta } = answer.schema.properties ?? {}
  const found = meta?.$ref === undefined ? meta : schemas[nameIn(meta.$ref)]
  const about = data.$ref ?? data.items?.$ref
  const description = about === undefined ? data.description : schemas[nameIn(about)]?.description
  const intro = data.type === 'array' ? 'data is a list. Each item' : 'data'
  return html`<h3 id="${id}-answer">Answer</h3>
<p>${intro}${description === undefined ? '' : `: ${description.charAt(0).toLowerCase()}${description.slice(1)}`}</p>
${answerFields(data, schemas)}
${found && html`<details class="meta"><summary>Fields of meta</summary>\n${fieldList(found, schemas)}</details>`}`
}

const CODES = Object.fromEntries(Object.entries(ERROR_STATUS).map(([code, status]) => [String(status), code]))

function errorList({ responses }: Operation): Html {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<ul class="errors">
${errors.map(([status, response]) => {
  if (!('$ref' in response) && 'description' in response) {
    return html`<li class="own"><code>${status}</code> ${inline(String(response.description))}</li>\n`
  }
  const code = CODES[status] ?? ''
  return html`<li><a href="/docs/guides/errors#${anchorOf(`${status} ${code}`)}"><code>${status} ${code}</code></a></li>\n`
})}</ul>\n`
}

const CAPTIONS = { envelope: 'Answer', stream: 'First event', file: 'Start of the file' }

const LANGUAGES: Record<string, string> = { Shell: 'curl' }

/** The tabs are radio buttons, so that they work without a script. */
function codePart({ id, samples, answer }: SiteOperation, { publicUrl }: Context): Html {
  const tabs = samples.map(({ lang, source }, index) => ({
    id: `${id}-${lang.toLowerCase()}`,
    label: LANGUAGES[lang] ?? lang,
    source: atUrl(source, publicUrl),
    checked: index === 0 ? html` checked` : '',
    lang,
  }))
  return html`<div class="code">
<fieldset class="tabs"><legend class="hidden">Language of the example</legend>
${tabs.map((tab) => html`<input type="radio" name="${id}-language" id="${tab.id}" data-language="${tab.lang}"${tab.checked}><label for="${tab.id}">${tab.label}</label>\n`)}
${tabs.map(({ source, label }) => codeBlock(source, `Request in ${label}`))}</fieldset>
<p class="caption">${CAPTIONS[answer.kind]}</p>
${codeBlock(JSON.stringify(answer.example, null, 2), 'Answer')}</div>`
}
