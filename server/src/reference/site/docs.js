/** The script of the reference: theme, search, language of the examples, copying, and the panels to try calls. */

const settings = memory('localStorage')
const tab = memory('sessionStorage')
const root = document.documentElement
root.dataset.theme = settings.get('theme') ?? ''

document.addEventListener('DOMContentLoaded', () => {
  addSearch()
  addThemeSwitch()
  rememberLanguage()
  for (const frame of document.querySelectorAll('.code')) addCopyButton(frame)
  for (const section of document.querySelectorAll('[data-example]')) addTryIt(section)
  for (const link of document.querySelectorAll('nav a')) link.addEventListener('click', closeMenu)
})

/** Returns what the browser remembers. It may forbid that, and then remembers nothing. */
function memory(kind) {
  const attempt = (access) => {
    try {
      return access(window[kind])
    } catch {
      return null
    }
  }
  return {
    get: (name) => attempt((storage) => storage.getItem(name)),
    set: (name, value) => attempt((storage) => storage.setItem(name, value)),
  }
}

/** Creates an element with properties and children. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

function closeMenu() {
  document.getElementById('menu').checked = false
}

function addThemeSwitch() {
  const isDark = () =>
    (root.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  const button = make('button', { type: 'button' })
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
    button.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} theme`)
  }
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    settings.set('theme', root.dataset.theme)
    show()
  })
  show()
  document.querySelector('.tools').append(button)
}

const MAX_RESULTS = 12

function addSearch() {
  const input = make('input', { type: 'search', placeholder: 'Search  /', autocomplete: 'off' })
  input.setAttribute('aria-label', 'Search the reference')
  const results = make('ul', { className: 'results' })
  let index
  const load = () => {
    index ??= fetch('/docs/search.json').then((response) => response.json())
    return index
  }
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length === 0 ? [] : find(await load(), words)
    results.replaceChildren(...found.map(resultItem))
    if (words.length > 0 && found.length === 0) {
      results.append(make('li', {}, make('p', { textContent: 'Nothing has all of these words.' })))
    }
  }
  const clear = () => results.replaceChildren()
  const area = document.querySelector('.tools')
  input.addEventListener('focus', load, { once: true })
  input.addEventListener('input', show)
  results.addEventListener('click', clear)
  area.addEventListener('keydown', (event) => {
    const places = [input, ...results.querySelectorAll('a')]
    const place = places.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      input.value = ''
      clear()
    } else if (event.key === 'Enter' && document.activeElement === input) places[1]?.click()
    else if (event.key === 'ArrowDown') places[Math.min(place + 1, places.length - 1)].focus()
    else if (event.key === 'ArrowUp') places[Math.max(place - 1, 0)].focus()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (!area.contains(event.target)) clear()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return
    event.preventDefault()
    input.focus()
  })
  area.append(input, results)
}

/** Returns the places that have all words; those that have them in their titles come first. */
function find(index, words) {
  const ranked = index.map(([title, path, more]) => {
    const [head, all] = [title.toLowerCase(), `${title} ${path} ${more}`.toLowerCase()]
    if (!words.every((word) => all.includes(word))) return { rank: 0 }
    return { title, path, more, rank: 1 + words.filter((word) => head.includes(word)).length }
  })
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_RESULTS)
}

function resultItem({ title, path, more }) {
  return make('li', {}, make('a', { href: path }, title, make('small', { textContent: more })))
}

/** Shows all examples in the language that the reader chose last. */
function rememberLanguage() {
  const choose = (language) => {
    for (const input of document.querySelectorAll(`[data-language="${language}"]`)) input.checked = true
  }
  const chosen = settings.get('language')
  if (chosen !== null) choose(chosen)
  document.addEventListener('change', ({ target }) => {
    const { language } = target.dataset
    if (language === undefined) return
    settings.set('language', language)
    choose(language)
  })
}

function addCopyButton(frame) {
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  button.setAttribute('aria-label', 'Copy the request')
  button.addEventListener('click', async () => {
    const shown = [...frame.querySelectorAll('.tabs pre')].find((block) => block.offsetParent !== null)
    await navigator.clipboard.writeText(shown.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  // Browsers have no clipboard on pages over plain HTTP from other machines.
  if (navigator.clipboard !== undefined) frame.querySelector('.tabs').append(button)
}

const SHOWN_HEADERS = [
  'x-credits-cost',
  'x-credits-remaining',
  'ratelimit',
  'retry-after',
  'x-ignored-parameters',
  'x-notice',
  'x-request-id',
]
/** A longer stream is cut at its start. */
const MAX_STREAM_TEXT = 50_000

function addTryIt(section) {
  const open = make('button', { type: 'button', className: 'main', textContent: 'Try it' })
  open.setAttribute('aria-label', `Try it: ${section.querySelector('h2').textContent}`)
  open.addEventListener('click', () => {
    const panel = tryItPanel(section)
    open.replaceWith(panel)
    panel.querySelector('input').focus()
  })
  section.querySelector('.code').prepend(make('div', { className: 'start' }, open))
}

function tryItPanel(section) {
  const { method, access, example, body: exampleBody, stream } = section.dataset
  const form = make('form')
  const output = make('div')
  output.setAttribute('aria-live', 'polite')
  const key = access === 'key' ? keyField() : undefined
  const parameters = parameterFields(section, new URL(example, location.origin))
  const body = exampleBody === undefined ? undefined : make('textarea', { value: exampleBody, spellcheck: false })
  const send = make('button', { className: 'main', textContent: stream === undefined ? `Send ${method}` : 'Start' })
  if (key !== undefined) form.append(key.element)
  form.append(parameters.element)
  if (body !== undefined) form.append(make('label', {}, 'Body', body))
  form.append(make('div', { className: 'row' }, send))

  let running
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (running !== undefined) return running.abort()
    running = new AbortController()
    if (stream !== undefined) send.textContent = 'Stop'
    else send.disabled = true
    await call(
      { method, path: parameters.path(), headers: parameters.headers(), key: key?.value(), body: body?.value },
      output,
      running.signal,
    )
    running = undefined
    send.disabled = false
    if (stream !== undefined) send.textContent = 'Start'
  })
  return make('div', { className: 'try' }, form, output)
}

/** Returns the field for the key, which stays in this tab of the browser. */
function keyField() {
  const input = make('input', {
    type: 'text',
    name: 'key',
    autocomplete: 'off',
    spellcheck: false,
    placeholder: 'mtk_…',
    value: tab.get('key') ?? '',
  })
  const demo = make('button', { type: 'button', textContent: 'Use the demo key' })
  demo.addEventListener('click', () => {
    input.value = document.body.dataset.demoKey
  })
  const value = () => {
    tab.set('key', input.value.trim())
    return input.value.trim()
  }
  return { element: make('div', { className: 'row' }, make('label', {}, 'API key', input), demo), value }
}

/** Returns fields for the parameters in the path and in the example; the others can be added. */
function parameterFields(section, example) {
  const rows = [...section.querySelectorAll('tr[data-name]')].map((row) => ({ ...row.dataset }))
  const { path } = section.dataset
  const inPath = example.pathname.match(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`))?.slice(1) ?? []
  const fields = new Map()
  const element = make('div', { className: 'fields-to-send' })
  const add = (row, value) => {
    const input = make('input', { type: 'text', name: row.name, value, autocomplete: 'off', spellcheck: false })
    input.required = row.in === 'path'
    if (row.values !== undefined) {
      const values = make('datalist', { id: `${section.id}-${row.name}-values` })
      values.append(...row.values.split(' ').map((choice) => make('option', { value: choice })))
      input.setAttribute('list', values.id)
      element.append(values)
    }
    fields.set(row, input)
    element.append(make('label', {}, row.name, input))
    return input
  }
  for (const row of rows) {
    if (row.in === 'path') add(row, decodeURIComponent(inPath.shift() ?? ''))
    else if (example.searchParams.has(row.name)) add(row, example.searchParams.get(row.name))
  }
  const others = rows.filter((row) => !fields.has(row))
  const form = make('div', { className: 'parameter-form' }, element)
  if (others.length > 0) {
    const select = make('select', {}, make('option', { value: '', textContent: 'Choose …' }))
    select.append(...others.map(({ name }) => make('option', { value: name, textContent: name })))
    select.addEventListener('change', () => {
      const row = others.find(({ name }) => name === select.value)
      if (row === undefined) return
      select.selectedOptions[0].remove()
      select.value = ''
      add(row, '').focus()
    })
    form.append(make('label', {}, 'Add a parameter', select))
  }
  const given = (place) => [...fields].filter(([row, { value }]) => row.in === place && value !== '')
  return {
    element: form,
    headers: () => Object.fromEntries(given('header').map(([{ name }, { value }]) => [name, value])),
    path() {
      const values = Object.fromEntries(given('path').map(([{ name }, { value }]) => [name, encodeURIComponent(value)]))
      const query = given('query').map(([{ name }, { value }]) => `${name}=${encodeURIComponent(value)}`)
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
      return query.length === 0 ? filled : `${filled}?${query.join('&')}`
    },
  }
}

/** Sends a request and shows it with its answer. */
async function call({ method, path, headers, key, body }, output, signal) {
  output.replaceChildren(block(curlOf({ method, path, headers, key, body }), 'Request as curl'))
  try {
    const response = await fetch(path, {
      method,
      headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body,
      signal,
      cache: 'no-store',
    })
    output.append(
      make('p', { className: response.ok ? 'status' : 'status failed' }, `${response.status} ${response.statusText}`),
    )
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      output.append(headerList(response))
      await showStream(response, output)
    } else await showAnswer(response, output)
  } catch (error) {
    if (signal.aborted) output.append(make('p', { textContent: 'Stopped.' }))
    else output.append(make('p', { className: 'failed', textContent: `The service did not answer: ${error.message}` }))
  }
}

async function showAnswer(response, output) {
  const text = await response.text()
  // A proxy may answer in place of the service.
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer = isJson ? JSON.parse(text) : undefined
  const message = answer?.error?.message
  if (message !== undefined) output.append(make('p', { className: 'failed', textContent: message }))
  output.append(headerList(response), block(isJson ? JSON.stringify(answer, null, 2) : text, 'Answer of the service'))
}

async function showStream(response, output) {
  const shown = block('', 'Events')
  output.append(shown)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    shown.textContent = (shown.textContent + value).slice(-MAX_STREAM_TEXT)
    shown.scrollTop = shown.scrollHeight
  }
  output.append(make('p', { textContent: 'The service ended the stream.' }))
}

function headerList(response) {
  const list = make('dl')
  for (const name of SHOWN_HEADERS) {
    const value = response.headers.get(name)
    if (value !== null) list.append(make('dt', { textContent: name }), make('dd', { textContent: value }))
  }
  return list
}

function block(text, label) {
  const element = make('pre', { tabIndex: 0, textContent: text })
  element.setAttribute('role', 'region')
  element.setAttribute('aria-label', label)
  return element
}

/** Returns the request as a command; the key stays out of it. */
function curlOf({ method, path, headers, key, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`
  const given = {
    ...headers,
    ...(key !== undefined && { Authorization: `Bearer ${key === document.body.dataset.demoKey ? key : '$KEY'}` }),
  }
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(given).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    `"${location.origin}${path}"`,
  ].join(' ')
}
